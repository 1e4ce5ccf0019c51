// Posts a file of events, typed by what openapi-typescript generates, and keeps a receipt.
// Usage: post.js URL TABLE EVENTS PROOF
import { readFileSync, writeFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Event = components["schemas"]["Event"];
type ProblemType = components["schemas"]["ProblemType"];

const [url, table, events, proof] = process.argv.slice(2) as [string, string, string, string];
const body = readFileSync(events, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as Event);
const client = createClient<paths>({ baseUrl: url });
const answer = await client.POST("/v1/tables/{table}/events", { params: { path: { table } }, body });
if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
if (!("receipts" in answer.data)) throw new Error("a dry run was not asked for");
const receipt = answer.data.receipts.at(-1);
if (receipt === undefined) throw new Error("no receipt");
writeFileSync(proof, receipt.proof);

// A closed table is the last thing that happened: the kinds of event are distinguished by their names.
const last = body.at(-1)?.event;
if (last !== undefined && "CoupSettled" in last) console.error(`coup ${last.CoupSettled.coup} is the last`);

const query = { severity: "violation", code: "natural-drawn", limit: 10 } as const;
const found = await client.GET("/v1/findings", { params: { query } });
const wrong = await client.GET("/v1/findings", { params: { query: { limit: 0 } } });
const refused: ProblemType | undefined = wrong.error?.type;
// What a newer service says in words that this client does not know is of the same type, and a question is not.
const newer: [ProblemType, components["schemas"]["Code"]] = ["urn:audit:newer", "newer"];
// @ts-expect-error: the service refuses a code that it does not know
const unknown: NonNullable<paths["/v1/findings"]["get"]["parameters"]["query"]>["code"] = "newer";
if (newer.length !== 2 || unknown === undefined) throw new Error("never");
console.log(JSON.stringify({
  recorded: answer.data.recorded,
  already_there: answer.data.already_there,
  index: receipt.index,
  digest: receipt.digest,
  findings: found.data?.published,
  refused,
}));
