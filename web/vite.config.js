// Bundles the page into dist/web. Nothing is inlined, so the page runs under a policy of same-origin files
// only.
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

/** A file of its own, so that a new version of the page leaves the cached map library alone. */
const maplibre = { name: 'maplibre', test: /node_modules[\\/]maplibre-gl/ };

/** Only pages with a map load what it says. */
const mapWords = { name: 'map-words', test: /web[\\/]map[\\/]messages\.ts$/ };

/** Small files that all pages beside the map share: together they compress better, in one request. */
const frame = {
  name: 'frame',
  test: /web[\\/]hotel[\\/](?:calls|frame|texts|use-loaded|use-deed|use-address|wide|messages)\.tsx?$/,
};

export default defineConfig({
  plugins: [icon],
  root: here('.'),
  base: '/',
  publicDir: false,
  resolve: {
    conditions: ['module', 'browser', 'production'],
    // The build of MapLibre with its worker in a file of its own instead of a blob.
    alias: [
      { find: /^maplibre-gl$/, replacement: here('../node_modules/maplibre-gl/dist/maplibre-gl-csp.js') },
    ],
  },
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
      input: { index: here('index.html'), ...Object.fromEntries(pages) },
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [maplibre, mapWords, frame] },
      },
    },
    chunkSizeWarningLimit: 1_200,
  },
});
