// Looks at pages as a person would. Prints what is wrong and ends with 1, or says how many pages it saw.
import { writeFile } from "node:fs/promises";

import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";

// The addresses of the pages end with their keys, which browsers keep as cookies.
const opened = process.argv.slice(2, 5).map((address) => new URL(address));
const [clean, faults, hostile] = opened.map((address) => address.origin);
const [shots, html] = process.argv.slice(5);
const keys = opened.map((address) => ({ name: `audit_desk_${address.port}`, value: address.searchParams.get("key"), url: address.origin }));
const shoe = "table=PB-01&shoe=S-PB-01-1";
const pages = [
  [clean, "/desk/"],
  [clean, "/desk/table?table=PB-01"],
  [clean, `/desk/shoe?${shoe}`],
  [clean, `/desk/coup?${shoe}&coup=3`],
  [clean, "/desk/log"],
  [faults, "/desk/"],
  [faults, "/desk/findings"],
  [faults, "/desk/findings?code=payout-over"],
  [faults, "/desk/table?table=banca-drew"],
  [faults, "/desk/rulebooks"],
  [faults, "/desk/nowhere"],
  [faults, "/desk/findings?severity=incomplete&sort=money"],
  [hostile, "/desk/"],
  [hostile, "/desk/findings"],
  [hostile, "/desk/rulebooks"],
];
// A rulebook's page is long; its first link leads there.
const firstRulebook = async (base) => (await (await fetch(`${base}/desk/rulebooks`, { headers: { cookie: keys.filter((key) => key.url === base).map((key) => `${key.name}=${key.value}`).join() } })).text()).match(/\/desk\/rulebook\?digest=[0-9a-f]+/)[0];
pages.push([clean, await firstRulebook(clean)], [hostile, await firstRulebook(hostile)]);
const wrong = [];
let seen = 0;

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** A browser that has opened the pages with their keys. */
async function browsing(options) {
  const context = await browser.newContext(options);
  await context.addCookies(keys);
  return context;
}

async function look(language, colorScheme, width, javaScriptEnabled) {
  const context = await browsing({
    viewport: { width, height: 900 }, colorScheme, javaScriptEnabled, locale: language === "es" ? "es-ES" : "en-GB",
  });
  const page = await context.newPage();
  const here = () => `${language} ${colorScheme} ${width}${javaScriptEnabled ? "" : " without script"} ${page.url()}`;
  page.on("console", (message) => {
    // The page that is not there is asked for on purpose.
    if (message.type() === "error" && !message.text().includes("404")) wrong.push(`${here()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`${here()}: ${error}`));
  page.on("request", (request) => {
    if (![clean, faults, hostile].some((base) => request.url().startsWith(base))) wrong.push(`${here()}: asks ${request.url()}`);
  });
  for (const [number, [base, path]] of pages.entries()) {
    const answer = await page.goto(base + path);
    seen += 1;
    if (width === 1280 && colorScheme === "light" && javaScriptEnabled) await writeFile(`${html}/${number}-${language}.html`, await answer.text());
    if ((await page.title()) === "harmed" || (await page.locator("main script, main img").count())) wrong.push(`${here()}: markup of the log`);
    if ((await page.locator("html").getAttribute("lang")) !== language) wrong.push(`${here()}: another language`);
    if (!javaScriptEnabled) {
      if (await page.locator("[data-controls]").isVisible()) wrong.push(`${here()}: buttons that do nothing`);
      continue;
    }
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { impact, id, nodes } of violations) {
      if (["serious", "critical"].includes(impact)) wrong.push(`${here()}: ${impact} ${id}: ${nodes[0].html}`);
    }
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (over > 0) wrong.push(`${here()}: ${over} pixels wider than the screen`);
    // Findings of every table and a whole rulebook are longer than a picture.
    const fullPage = ![6, 15, 16].includes(number);
    await page.screenshot({ path: `${shots}/${number}-${language}-${colorScheme}-${width}.png`, fullPage });
  }
  await context.close();
}

/** Reports: one file each, which asks for nothing. */
async function reports(colorScheme, width) {
  const page = await (await browsing({ viewport: { width, height: 900 }, colorScheme })).newPage();
  for (const log of ["clean", "faults", "hostile"]) {
    for (const language of ["en", "es"]) {
      const file = `report-${log}-${language}`;
      const here = `${file} ${colorScheme} ${width}`;
      const asked = [];
      page.removeAllListeners();
      page.on("console", (message) => message.type() === "error" && wrong.push(`${here}: ${message.text()}`));
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(`file://${html}/${file}.html`);
      seen += 1;
      if (asked.length !== 1) wrong.push(`${here}: asks ${asked.slice(1)}`);
      if ((await page.locator("script, img").count()) || (await page.title()) === "harmed") wrong.push(`${here}: markup of the log`);
      if (await page.locator("details:not([open])").count()) wrong.push(`${here}: something is closed, and would not be printed`);
      const { violations } = await new AxeBuilder({ page }).analyze();
      for (const { impact, id, nodes } of violations) {
        if (["serious", "critical"].includes(impact)) wrong.push(`${here}: ${impact} ${id}: ${nodes[0].html}`);
      }
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (over > 0) wrong.push(`${here}: ${over} pixels wider than the screen`);
      await page.screenshot({ path: `${shots}/${file}-${colorScheme}-${width}.png`, fullPage: log !== "faults" });
    }
  }
}

/** As it is printed: no navigation and no buttons, and black on white, whatever the screen has. */
async function print() {
  const page = await (await browsing({ viewport: { width: 800, height: 1100 }, colorScheme: "dark" })).newPage();
  for (const [number, path] of [`/desk/`, `/desk/shoe?${shoe}`, `/desk/coup?${shoe}&coup=3`].entries()) {
    await page.goto(clean + path);
    await page.emulateMedia({ media: "print" });
    if (await page.locator("header nav, [data-controls]").first().isVisible()) wrong.push(`${path} is printed with its navigation`);
    const [paper, ink] = await page.evaluate(() => [document.documentElement, document.querySelector("h1")].map((one, at) => getComputedStyle(one)[at ? "color" : "backgroundColor"]));
    if (paper !== "rgb(255, 255, 255)" || ink !== "rgb(0, 0, 0)") wrong.push(`${path} is printed ${ink} on ${paper}`);
    await page.screenshot({ path: `${shots}/print-${number}.png`, fullPage: number === 2 });
    await page.emulateMedia({ media: "screen" });
  }
}

/** What is folded on the screen is printed. */
async function unfolded() {
  const page = await (await browsing()).newPage();
  await page.goto(`${faults}/desk/findings?code=payout-over`);
  const open = () => page.locator("details[open]").count();
  const before = await open();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const printed = await open();
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  if (before !== 0 || printed === 0 || (await open()) !== 0) wrong.push(`of the clauses ${printed} are printed, ${before} were open`);
}

/** Without the key nobody sees anything, and the printed address leads to the pages without it. */
async function withoutKey() {
  const page = await (await browser.newContext({ locale: "es-ES" })).newPage();
  for (const path of ["/", "/desk/", "/desk/findings", "/desk/desk.css"]) {
    const answer = await page.goto(clean + path);
    if (answer.status() !== 403 || !(await page.content()).includes("Estas páginas tienen una clave")) wrong.push(`${path} is seen without the key`);
  }
  await page.goto(opened[0].href);
  if (page.url() !== `${clean}/desk/` || !(await page.locator("article, table, main section").count())) wrong.push(`the printed address leads to ${page.url()}`);
  await page.context().close();
}

/** Steps through a coup by the keyboard: cards fall one by one. */
async function step() {
  const page = await (await browsing()).newPage();
  await page.goto(`${clean}/desk/coup?${shoe}&coup=3`);
  const fallen = () => page.locator(".fall:not(.later)").count();
  const all = await fallen();
  await page.keyboard.press("Home");
  const counts = [await fallen()];
  while (counts.at(-1) < all && counts.length < 30) {
    await page.keyboard.press("ArrowRight");
    counts.push(await fallen());
  }
  if (all < 4 || counts[0] !== 0 || counts.at(-1) !== all) wrong.push(`stepping showed ${counts} of ${all} cards`);
  await page.keyboard.press("ArrowLeft");
  if (!(await page.locator(".steps .now").count())) wrong.push("no step is marked");
}

/** From the overview to a finding's own place in three clicks. */
async function find() {
  const page = await (await browsing()).newPage();
  await page.goto(`${faults}/desk/`);
  await page.locator(".bars a").first().click();
  await page.locator(".finding h3 a").first().click();
  if (!(await page.locator(".finding:target").count())) wrong.push(`${page.url()}: the finding is not where its link leads`);
}

for (const language of ["es", "en"]) {
  for (const scheme of ["light", "dark"]) for (const width of [1280, 390]) await look(language, scheme, width, true);
  await look(language, "light", 1280, false);
}
await withoutKey();
await step();
await find();
for (const scheme of ["light", "dark"]) for (const width of [1280, 390]) await reports(scheme, width);
await print();
await unfolded();
await browser.close();
for (const what of wrong) console.error(what);
console.log(`${seen} pages seen, ${wrong.length} things wrong`);
process.exit(wrong.length > 0 || seen === 0 ? 1 : 0);
