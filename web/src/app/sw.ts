// The service worker: shows notices that were pushed, and opens the page's shell when the gate cannot be reached.
// INVARIANT: nothing but the shell is ever kept. What the gate says goes past this worker and into no cache.
const worker = self as unknown as ServiceWorkerGlobalScope;
const shelf = 'shell';
const shell = ['/', '/manifest.webmanifest', '/icon.svg', '/icon-192.png'];
const isShell = (path: string): boolean => shell.includes(path) || path.startsWith('/assets/');

// The page names the script and the sheet that belong to it; those of an older page go.
async function fill(): Promise<void> {
  const cache = await caches.open(shelf);
  await cache.addAll(shell);
  const page = await (await cache.match('/'))?.text() ?? '';
  const parts = [...page.matchAll(/"(\/assets\/[\w.-]+)"/g)].map((match) => match[1]!);
  for (const kept of await cache.keys()) { const path = new URL(kept.url).pathname; if (path.startsWith('/assets/') && !parts.includes(path)) await cache.delete(kept); }
  await cache.addAll(parts);
}

worker.addEventListener('install', (event) => {
  event.waitUntil(fill().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => { event.waitUntil(worker.clients.claim()); });

// The gate's own copy first, so that page and gate are of one age; the kept one only when nothing answers.
worker.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== worker.location.origin || !isShell(pathname)) return;
  event.respondWith(fetch(event.request).then(async (response) => {
    if (response.ok) { const copy = response.clone(); await (await caches.open(shelf)).put(pathname, copy); }
    return response;
  }).catch(async () => (await caches.match(pathname)) ?? Response.error()));
});

interface Notice { title?: string; body?: string; id?: string; tag?: string }

worker.addEventListener('push', (event) => {
  let notice: Notice = {};
  try {
    notice = (event.data?.json() ?? {}) as Notice;
  } catch {
    // A push without words still says that somebody asks.
  }
  event.waitUntil(worker.registration.showNotification(notice.title ?? 'An agent asks', {
    body: notice.body ?? 'Open the gate to see what it wants.', tag: notice.tag ?? notice.id ?? 'tollgate', icon: '/icon-192.png', badge: '/icon-192.png', data: { id: notice.id ?? '' },
  }));
});

// Opens the card; answering is done there, by whoever is logged in.
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const id = String((event.notification.data as { id?: string } | null)?.id ?? '');
  const address = id === '' ? '/#/questions' : `/#/question/${encodeURIComponent(id)}`;
  event.waitUntil(worker.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(async (open) => {
    const page = open[0];
    if (page === undefined) { await worker.clients.openWindow(address); return; }
    await page.navigate(address).catch(() => null);
    await page.focus();
  }));
});
