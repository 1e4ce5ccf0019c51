// Looks at the pages of a running service, as a person would who signs in while tables play. Prints what is wrong and
// ends with 1.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const [base, readToken, appendToken, fixture, html] = process.argv.slice(2);
const wrong = [];
const fail = (what) => wrong.push(`live: ${what}`);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** A page whose console and requests are watched. */
async function opened(locale, javaScriptEnabled = true) {
  const page = await (await browser.newContext({ locale, javaScriptEnabled })).newPage();
  page.on("console", (message) => {
    // Pages that are refused are asked for on purpose.
    if (message.type() === "error" && !/status of (401|403|404)/.test(message.text())) fail(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => fail(`${page.url()}: ${error}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`)) fail(`${page.url()}: asks ${request.url()}`);
  });
  return page;
}

async function signIn(page, token) {
  await page.locator("#token").fill(token);
  await page.locator("form.sign-in button").click();
}

const isSignIn = (page) => page.locator("form.sign-in").count();

/** The finding of a crooked coup, posted as its table would; gives the time at which the log had it. */
async function post(table) {
  const text = (await readFile(fixture, "utf8")).replaceAll('"table":"PB-01"', `"table":"${table}"`);
  const answer = await fetch(`${base}/v1/tables/${table}/events`, {
    method: "POST", body: text, headers: { authorization: `Bearer ${appendToken}`, "content-type": "application/x-ndjson" },
  });
  if (answer.status !== 201) fail(`posting answers ${answer.status}: ${await answer.text()}`);
  return Date.now();
}

/** Nothing is seen without signing in, and nobody gets in with a wrong token. */
async function outside() {
  for (const path of ["/", "/desk/", "/desk/findings", "/desk/table?table=PB-01", "/desk/rulebooks", "/desk/log"]) {
    const page = await opened("en-GB");
    await page.goto(base + path);
    if (!(await isSignIn(page)) || (await page.locator("table, article").count())) fail(`${path} is seen without signing in`);
    await page.context().close();
  }
  const news = await fetch(`${base}/desk/news`, { redirect: "manual" });
  if (news.status !== 303) fail(`news without signing in answers ${news.status}`);
  const page = await opened("es-ES");
  await page.goto(`${base}/desk/log`);
  await signIn(page, "audit_000000000000_wrong");
  if (!(await isSignIn(page)) || !(await page.locator("[role=alert]").innerText()).includes("no vale aquí")) fail("a wrong token is not refused in Spanish");
  await signIn(page, appendToken);
  if (!(await isSignIn(page))) fail("a token that may only append sees pages");
  await page.context().close();
}

/** Signs in, sees a finding appear on the open page, follows it and steps through its coup. */
async function inside() {
  const page = await opened("en-GB");
  await page.goto(`${base}/desk/log`);
  await signIn(page, readToken);
  if (!page.url().endsWith("/desk/log")) fail(`signing in leads to ${page.url()}`);
  if (await page.evaluate(() => document.cookie.includes("audit_session"))) fail("a script can read the session");
  await page.goto(`${base}/`);
  await page.evaluate(() => { window.notReloaded = true; });
  // The page has asked what is new once.
  await page.waitForTimeout(1_000);
  const recorded = await post("LIVE-1");
  const news = page.locator("#news a").first();
  await news.waitFor({ timeout: 10_000 }).catch(() => fail("no finding appears"));
  const took = Date.now() - recorded;
  if (took > 2_000) fail(`a finding appears after ${took} milliseconds`);
  if (!(await page.evaluate(() => window.notReloaded))) fail("the page was loaded again");
  await news.click();
  if (!(await page.locator(".finding:target").count())) fail(`${page.url()}: the finding is not where the news lead`);
  await stepped(page);

  // From the root in three clicks.
  await page.goto(`${base}/`);
  await page.locator("nav a[href='/desk/findings']").click();
  await page.locator(".finding h3 a").first().click();
  if (!(await page.locator(".finding:target").count())) fail("no finding in three clicks from the root");

  for (const path of ["/desk/", "/desk/findings?sort=newest", "/desk/table?table=LIVE-1", "/desk/rulebooks", "/desk/log", "/desk/nowhere?lang=es"]) {
    const answer = await page.goto(base + path);
    await writeFile(`${html}/live-${path.replace(/[^a-z-]+/gi, "-")}.html`, await answer.text());
  }
  if ((await page.locator("html").getAttribute("lang")) !== "es") fail("a page that is not there is not in Spanish");
  await page.goto(`${base}/desk/table?table=LIVE-1&lang=en`);
  if (!(await page.locator("svg.shares").count())) fail("a live table does not count its shoes' coups");

  await page.locator("form[action='/desk/sign-out'] button").click();
  if (!(await isSignIn(page))) fail("signing out shows something");
  await page.goto(`${base}/desk/findings`);
  if (!(await isSignIn(page))) fail("somebody who signed out sees findings");
  await page.context().close();
  return took;
}

/** Steps through the coup on the page by the keyboard. */
async function stepped(page) {
  if (!page.url().includes("/desk/coup?")) return;
  const fallen = () => page.locator(".fall:not(.later)").count();
  const all = await fallen();
  await page.keyboard.press("Home");
  const none = await fallen();
  for (let key = 0; key < 30 && (await fallen()) < all; key += 1) await page.keyboard.press("ArrowRight");
  if (none !== 0 || (await fallen()) !== all) fail(`stepping by the keyboard shows ${none} to ${await fallen()} of ${all} cards`);
}

/** Signs in and looks around with script off. */
async function withoutScript() {
  const page = await opened("es-ES", false);
  await page.goto(`${base}/desk/`);
  await signIn(page, readToken);
  const links = await page.locator("main a, nav a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  for (const path of new Set(links.filter((link) => link.startsWith("/desk/")).slice(0, 30))) {
    const answer = await page.goto(base + path);
    if (answer.status() !== 200 || !(await page.locator("h1").innerText())) fail(`${path} without script: ${answer.status()}`);
  }
  await page.goto(`${base}/desk/findings`);
  await page.locator("select[name=sort]").selectOption("money");
  await page.locator("form.filter button").click();
  if (!page.url().includes("sort=money") || !(await page.locator(".finding").count())) fail("findings are not sorted without script");
  await page.locator("form[action='/desk/sign-out'] button").click();
  if (!(await isSignIn(page))) fail("signing out needs script");
  await page.context().close();
}

await mkdir(html, { recursive: true });
// This session lasts a minute.
const early = await opened("en-GB");
await early.goto(`${base}/desk/`);
await signIn(early, readToken);
if (await isSignIn(early)) fail("a token of the role read does not sign in");
const began = Date.now();
await outside();
const took = await inside();
await withoutScript();
await early.waitForTimeout(Math.max(0, began + 62_000 - Date.now()));
await early.goto(`${base}/desk/findings`);
if (!(await isSignIn(early))) fail("a session that is over sees findings");
await browser.close();
for (const what of wrong) console.error(what);
console.log(`a running service was looked at, a finding appeared after ${took} milliseconds, ${wrong.length} things wrong`);
process.exit(wrong.length > 0 ? 1 : 0);
