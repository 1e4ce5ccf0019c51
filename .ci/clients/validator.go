// Package validator takes the place of gopkg.in/validator.v2, the one library that generated Go clients name, where no
// Go module can be fetched (and Debian's is older than what they ask for). It checks no patterns: the service does.
package validator

// Validate finds nothing wrong.
func Validate(any) error { return nil }
