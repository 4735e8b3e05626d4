// Bundles the page into dist/web. Nothing is inlined, so the page runs under a policy of same-origin files
// only.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The live page, and every folder with an `index.html` of its own, which is served under its name. */
const pages = readdirSync(here('.'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(here(`${entry.name}/index.html`)))
  .map(({ name }) => [name, here(`${name}/index.html`)]);

/** The icon under the address that the manifest names: names of other files change with their content. */
const icon = {
  name: 'icon',
  closeBundle() {
    copyFileSync(here('icon.svg'), here('../dist/web/icon.svg'));
  },
};

const chunkOf = (bundle, source) =>
  Object.values(bundle).find(
    ({ type, facadeModuleId }) => type === 'chunk' && facadeModuleId === here(source),
  );

/** The files that the map page loads now or later, from its own script on. */
function filesOf(bundle) {
  const files = new Set();
  const add = (name) => {
    if (files.has(name)) return;
    files.add(name);
    const { imports = [], dynamicImports = [], viteMetadata } = bundle[name];
    for (const other of [...imports, ...dynamicImports]) add(other);
    for (const other of [...(viteMetadata?.importedCss ?? []), ...(viteMetadata?.importedAssets ?? [])])
      add(other);
  };
  add(chunkOf(bundle, 'index.html').fileName);
  return [...files].toSorted();
}

/** The map is loaded beside the page's own script, not after it has run. */
const mapAtOnce = {
  name: 'map-at-once',
  transformIndexHtml: {
    order: 'post',
    handler(html, { filename, bundle }) {
      if (filename !== here('index.html') || bundle === undefined) return [];
      const { fileName, imports } = chunkOf(bundle, 'city-map/city-map.ts');
      return [...imports, fileName]
        .map((file) => `/${file}`)
        .filter((href) => !html.includes(href))
        .map((href) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href },
          injectTo: 'head',
        }));
    },
  },
};

const serviceWorker = 'service-worker';

/** Tells the service worker what it keeps. */
const shell = {
  name: 'shell',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = filesOf(bundle);
      const hash = createHash('sha256').update(bundle['index.html'].source);
      const version = hash.update(files.join()).digest('hex').slice(0, 16);
      const all = { version, files: files.map((file) => `/${file}`) };
      const worker = bundle[`${serviceWorker}.js`];
      worker.code = `const SHELL=${JSON.stringify(all)};${worker.code}`;
    },
  },
};

/** A file of its own, so that a new version of the page leaves the cached map library alone. */
const maplibre = { name: 'maplibre', test: /node_modules[\\/]maplibre-gl/ };

/** Only pages with a map load what it says. */
const mapWords = { name: 'map-words', test: /web[\\/]map[\\/]messages\.ts$/ };

/** Small files that all pages beside the map share: together they compress better, in one request. */
const frame = {
  name: 'frame',
  test: /web[\\/]hotel[\\/](?:calls|frame|texts|use-loaded|use-deed|use-address|wide|messages)\.tsx?$/,
};

/** What all pages share: one file instead of eight small ones, each of which a slow phone waits for. */
const shared = {
  name: 'shared',
  test: /node_modules[\\/]preact|vite[\\/]preload-helper|web[\\/](?:language|http)[\\/]|web[\\/]ui[\\/]skeleton|web[\\/]sign-in[\\/](?:session|method|askers|use-provider)\.ts$/,
};

/** Only where people sign in at a provider. */
const atProvider = {
  name: 'at-provider',
  test: /oauth4webapi|sign-in[\\/](?:failures|page-scopes|provider|protocol|sessions|sign-in-(?:bar|gate|messages)|use-sign-in)\.tsx?$/,
};

export default defineConfig({
  plugins: [icon, mapAtOnce, shell],
  root: here('.'),
  base: '/',
  publicDir: false,
  resolve: { conditions: ['module', 'browser', 'production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // `npx vite --config web/vite.config.js` serves the sources, with the platform that `npm start` runs behind
  // it.
  server: { proxy: { '/v1': { target: 'http://127.0.0.1:8080', ws: true } } },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // MapLibre is one chunk of about 970 kB; the page around it is measured by
    // tests/web/bundle-budget.test.ts.
    rolldownOptions: {
      // On a slow machine it warns how long our own plugins took; `npm start` prints what the platform does.
      checks: { pluginTimings: false },
      input: {
        index: here('index.html'),
        ...Object.fromEntries(pages),
        [serviceWorker]: here('service-worker/service-worker.ts'),
      },
      output: {
        // Its address stays, and decides which pages it may keep.
        entryFileNames: ({ name }) => (name === serviceWorker ? '[name].js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [maplibre, mapWords, frame, shared, atProvider],
        },
      },
    },
    chunkSizeWarningLimit: 1_200,
  },
});
