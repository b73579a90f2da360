import { createHash } from 'node:crypto'
import { escapeHtml } from './site-config.ts'

const style = `
:root { color-scheme: light dark; --paper: #fbf8f1; --ink: #1c1b19; --accent: #a6402b }
@media (prefers-color-scheme: dark) { :root { --paper: #161513; --ink: #ece7dd; --accent: #e58b73 } }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; text-align: center;
  background: var(--paper); color: var(--ink); font: 18px/28px Georgia, serif }
h1 { margin: 0 24px 8px; font-weight: 400; font-size: 30px; line-height: 38px }
p { margin: 0 }
a { display: inline-block; padding: 12px; color: var(--accent) }
`

/** The page of addresses that lead nowhere, with the policy that lets its own style through and nothing else. */
export function notFoundPage(siteName: string): { html: string; policy: string } {
  const name = escapeHtml(siteName)
  const hash = createHash('sha256').update(style).digest('base64')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found · ${name}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>There is nothing here</h1>
<p><a href="/">Go to ${name}</a></p>
</main>
</body>
</html>
`
  return { html, policy: `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'` }
}
