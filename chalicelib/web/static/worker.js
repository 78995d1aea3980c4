// Without a connection, a page of the app that cannot come is answered with `offline.html`, which is
// the same for everybody. Nothing else is kept here: no page, no answer, nothing of a person. It
// sends nothing: what was written waits in the page's own storage (`offline.js`). It shows notices.
"use strict";

const SHELL = "shell";
const PAGE = "/app/static/offline.html";
const KEPT = [PAGE, "/app/static/app.css", "/app/static/offline.js", "/app/static/icon.svg", "/app/static/instrument-sans.woff2"];

self.addEventListener("install", (event) => {
  const asked = KEPT.map((address) => new Request(address, { cache: "reload", credentials: "omit" }));
  event.waitUntil(caches.delete(SHELL).then(() => caches.open(SHELL)).then((shell) => shell.addAll(asked)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.registration.navigationPreload ? self.registration.navigationPreload.enable() : null));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    // Where the line is down, Firefox's early answer is an error that it does not throw.
    const came = Promise.resolve(event.preloadResponse).then((early) => (early && early.type !== "error" ? early : fetch(request)));
    event.respondWith(came.catch(() => caches.match(PAGE)));
    return;
  }
  // Of the shell, only what the page without a connection asks for: it names it without a version.
  const { pathname, search } = new URL(request.url);
  if (!search && KEPT.includes(pathname)) event.respondWith(caches.match(request).then((kept) => kept || fetch(request)));
});
// A notice is shown as it comes, in the place of the last one of its kind; a click opens its page.
self.addEventListener("push", (event) => {
  const { title, body, path, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, icon: "/app/static/icon-192.png", data: { path } }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href, origin, pathname } = new URL(event.notification.data.path, self.location.origin);
  if (origin !== self.location.origin || !/^\/app(\/|$)/.test(pathname)) return;
  event.waitUntil(self.clients.openWindow(href));
});
