// The whole flow with openapi-fetch over the types that openapi-typescript made: upload, draft,
// check, publish, watch. Prints the live post's address.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [, , baseUrl, key, account, photo] = process.argv as string[];
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const need = <T>(found: { data?: T; error?: unknown }): T => {
  if (found.data === undefined) throw new Error(JSON.stringify(found.error));
  return found.data;
};

const file = new Blob([readFileSync(photo!)], { type: "image/jpeg" });
const uploaded = need(
  await client.POST("/v1/media", {
    body: { file: file as unknown as string },
    bodySerializer: (body) => {
      const form = new FormData();
      form.append("file", body.file as unknown as Blob, "bread.jpg");
      return form;
    },
  }),
);
// Only what must be given: the types ask for no field that may be left out.
type Draft = paths["/v1/posts"]["post"]["requestBody"]["content"]["application/json"];
const least: Draft = { targets: [{ account_id: account! }] };
const made = need(
  await client.POST("/v1/posts", {
    body: { ...least, caption: "Fresh bread from TypeScript", media_ids: [uploaded.id] },
  }),
);
const params = { path: { post_id: made.id } };
const checked = need(await client.POST("/v1/posts/{post_id}/check", { params }));
if (!checked.ready) throw new Error(JSON.stringify(checked.data));
// If-Match changes what was read, and nothing later.
const etag = (await client.GET("/v1/posts/{post_id}", { params })).response.headers.get("ETag")!;
const change = { params: { ...params, header: { "If-Match": etag } }, body: { caption: "Rye bread from TypeScript" } };
need(await client.PATCH("/v1/posts/{post_id}", change));
const stale = await client.PATCH("/v1/posts/{post_id}", change);
if (stale.response.status !== 412) throw new Error(`${stale.response.status} instead of 412`);
// A list with two statuses: both count.
const listed = need(await client.GET("/v1/posts", { params: { query: { status: ["draft", "published"] } } }));
if (listed.data[0]?.id !== made.id) throw new Error("the draft is not in the list of drafts and published posts");
need(await client.POST("/v1/posts/{post_id}/publish-now", { params }));
for (;;) {
  const target = need(await client.GET("/v1/posts/{post_id}", { params })).targets[0]!;
  if (target.status === "published") {
    console.log(target.url);
    break;
  }
  // The compiler knows every code, so that this one cannot be misspelt.
  if (target.error_code === "auth_expired") throw new Error("sign in again");
  if (target.status === "failed") throw new Error(target.error_message ?? "failed");
  await new Promise((resolve) => setTimeout(resolve, 100));
}
