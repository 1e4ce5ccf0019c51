//! A value that is usually unchanged since the table began and then needs no memory of its own. A log may name a
//! great many tables.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// A part of a state that is mostly as it began.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Seldom<T>(Option<Box<T>>);

impl<T> Default for Seldom<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Ord> FromIterator<T> for Seldom<BTreeSet<T>> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let all: BTreeSet<T> = items.into_iter().collect();
        Self((!all.is_empty()).then(|| Box::new(all)))
    }
}

impl<T> FromIterator<T> for Seldom<Vec<T>> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let all: Vec<T> = items.into_iter().collect();
        Self((!all.is_empty()).then(|| Box::new(all)))
    }
}

/// A type whose initial value is shared and needs no memory of its own.
pub(crate) trait AsItBegan: Default + 'static {
    /// The shared initial value.
    fn as_it_began() -> &'static LazyLock<Self>;
}

impl<T: AsItBegan> Seldom<T> {
    /// Whether it still has its initial value.
    pub(crate) const fn is_as_it_began(&self) -> bool {
        self.0.is_none()
    }

    /// What it is.
    pub(crate) fn begun(self) -> T {
        self.0.map(|begun| *begun).unwrap_or_default()
    }

    /// The value, if it is not the initial one.
    pub(crate) fn begun_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }

    /// It has its initial value again.
    pub(crate) fn clear(&mut self) {
        self.0 = None;
    }

    /// What it is; it begins anew.
    pub(crate) fn begin_anew(&mut self) -> T {
        self.0.take().map(|taken| *taken).unwrap_or_default()
    }
}

impl<T: AsItBegan> Deref for Seldom<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or_else(|| T::as_it_began())
    }
}

impl<T: AsItBegan> DerefMut for Seldom<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

/// Of these a table's state holds a [`Seldom`]. Each is named where it is held.
macro_rules! seldom {
    ($($part:ty),* $(,)?) => {
        $(impl $crate::seldom::AsItBegan for $part {
            fn as_it_began() -> &'static std::sync::LazyLock<Self> {
                static AS_IT_BEGAN: std::sync::LazyLock<$part> = std::sync::LazyLock::new(Default::default);
                &AS_IT_BEGAN
            }
        })*
    };
}

pub(crate) use seldom;

seldom!(BTreeSet<u8>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_as_it_began_takes_no_room_and_is_put_aside_as_it_is() {
        let mut seldom = Seldom::<BTreeSet<u8>>::default();
        assert!(seldom.is_as_it_began());
        assert_eq!(serde_json::to_string(&seldom).expect("JSON"), "null");
        seldom.insert(1);
        assert!(!seldom.is_as_it_began());
        assert_eq!(seldom.begun(), BTreeSet::from([1]));
    }
}
