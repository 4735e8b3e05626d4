/** Of the pages that are drawn without a library: events and problems. */
export const pageStyle = `:root { color-scheme: light dark; --text: #18202b; --muted: #566071; --ground: #ffffff;
  --sunken: #f1f3f7; --link: #2b57d9; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8edf5; --muted: #9aa7b8; --ground: #10141b; --sunken: #1c222c; --link: #7fa2ff; }
}
html { background: var(--ground); color: var(--text); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1, h2, p, li { overflow-wrap: anywhere; }
h2 { font: 600 1.1rem ui-monospace, monospace; margin: 2rem 0 0; }
a { color: var(--link); }
.actions { color: var(--muted); margin: 0; }
pre { background: var(--sunken); overflow: auto; padding: 0.5rem; }
summary { cursor: pointer; min-height: 1.75rem; }
.problems { list-style: none; padding: 0; }
.problems li { padding: 0.35rem 0; border-bottom: 1px solid var(--sunken); }
.problems a { display: inline-block; min-height: 1.5rem; }
`;
