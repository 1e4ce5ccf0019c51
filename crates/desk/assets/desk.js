// Steps through a coup, shows findings as they are published, and unfolds what is printed. Every page works without it.
"use strict";

function player(section) {
  const cards = [...section.querySelectorAll("[data-step]")];
  const steps = [...section.querySelectorAll("[data-at]")];
  const controls = section.querySelector("[data-controls]");
  if (steps.length === 0) return;
  const last = steps.length;
  const now = section.querySelector("[data-now]");
  let at = last;
  const show = (step) => {
    at = Math.max(1, Math.min(last, step));
    for (const card of cards) card.classList.toggle("later", Number(card.dataset.step) > at);
    for (const line of steps) {
      const number = Number(line.dataset.at);
      line.classList.toggle("later", number > at);
      line.classList.toggle("now", number === at);
      if (number === at) now.textContent = line.textContent.trim().replace(/\s+/g, " ");
      if (number === at) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
    for (const total of section.querySelectorAll(".total")) total.hidden = at < last;
  };
  const go = { first: () => show(1), back: () => show(at - 1), forward: () => show(at + 1), last: () => show(last) };
  controls.hidden = false;
  controls.addEventListener("click", (event) => {
    const move = go[event.target.dataset.go];
    if (move) move();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
    const move = { ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last" }[event.key];
    if (!move) return;
    event.preventDefault();
    go[move]();
  });
  show(last);
}

for (const section of document.querySelectorAll("[data-player]")) player(section);

// The page itself says that there is something new: a reload would lose what somebody reads. It asks while it is seen:
// a page in the background needs nothing of the service.
function live() {
  const news = document.getElementById("news");
  let shown = 0;
  let after = "";
  const show = (finding) => {
    const link = document.createElement("a");
    link.href = finding.href;
    link.textContent = `${news.dataset.label}: ${finding.text}`;
    news.prepend(link);
    shown += 1;
    while (news.children.length > 3) news.lastChild.remove();
    document.title = document.title.replace(/^(\(\d+\) )?/, `(${shown}) `);
  };
  const ask = async () => {
    let pause = 1_000;
    try {
      if (!document.hidden) {
        const answer = await fetch(`/desk/news?after=${after}`, { redirect: "manual" });
        // Whoever signed out, or may not read any more, is led to the page to sign in.
        if (answer.type === "opaqueredirect") return;
        if (!answer.ok) throw answer.status;
        const { after: newest, findings } = await answer.json();
        after = newest;
        for (const finding of findings) show(finding);
      }
    } catch {
      // The service is busy, or starts again.
      pause = 10_000;
    }
    setTimeout(ask, pause);
  };
  ask();
}

if (document.body.hasAttribute("data-live")) live();

// On paper nobody can open what is folded: the clauses are printed.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});
