import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Html, html, jsonHtml, rawHtml } from '#platform/html/html.ts'
import { languageAttributes } from './site-config.ts'

/** The fonts of these pages: the web app's, under stable paths, because its file names contain a hash. */
export const pageFonts = {
  serif: { path: '/fonts/serif.woff2', file: 'newsreader-latin-wght-normal' },
  sans: { path: '/fonts/sans.woff2', file: 'figtree-latin-wght-normal' },
} as const

const style = `
:root { color-scheme: light dark; --paper: #fbf8f1; --ink: #1c1b19; --quiet: #5f5a52; --accent: #a6402b; --sheet: #fffdf8;
  --serif: Newsreader, Georgia, serif; --sans: Figtree, system-ui, sans-serif }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161513; --ink: #ece7dd; --quiet: #a79f92; --accent: #e58b73; --sheet: #1e1c19 }
}
@font-face { font-family: Newsreader; font-weight: 200 800; font-display: swap; src: url(${pageFonts.serif.path}) }
@font-face { font-family: Figtree; font-weight: 300 900; font-display: swap; src: url(${pageFonts.sans.path}) }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; grid-template-columns: minmax(0, 24em);
  place-content: center; text-align: center;
  background: var(--paper); color: var(--ink); font: 1.125rem/1.75rem var(--serif); -webkit-font-smoothing: antialiased }
main { padding: 24px }
h1 { margin: 0 0 8px; font-weight: 400; font-size: 2.125rem; line-height: 1.18; letter-spacing: -0.01em; text-wrap: balance;
  overflow-wrap: anywhere }
p { margin: 0; color: var(--quiet); overflow-wrap: anywhere; text-wrap: pretty }
main > p { text-wrap: balance }
h1 ~ p + p { margin-top: 8px }
.site { margin-bottom: 24px; font: 500 0.8125rem/1.125rem var(--sans); letter-spacing: 0.12em; text-transform: uppercase }
a { display: inline-block; padding: 12px; color: var(--accent); text-underline-offset: 0.2em }
.site a { margin: -15px; padding: 15px; color: inherit; text-decoration: none }
form { margin: 24px 0 0; text-align: start }
label { display: block; color: var(--quiet); font: 0.875rem/1.25rem var(--sans) }
input { box-sizing: border-box; width: 100%; min-height: 52px; margin: 6px 0; padding: 10px 16px;
  border: 1px solid var(--quiet); border-radius: 6px; background: var(--sheet); color: inherit; font: 1.0625rem/1.5rem var(--sans) }
fieldset { margin: 0; padding: 0; border: 0 }
legend { padding: 0 0 8px; color: var(--quiet); font: 0.875rem/1.25rem var(--sans) }
.choice { display: flex; align-items: center; gap: 12px; min-height: 48px; color: var(--ink); font: 1.0625rem/1.5rem var(--sans) }
.choice input { flex: none; width: 22px; min-height: 22px; margin: 0; accent-color: var(--ink) }
form p { font: 0.875rem/1.25rem var(--sans) }
.error { color: var(--accent) }
[aria-invalid] { border-color: var(--accent) }
details { margin-top: 4px; text-align: start }
form + details, div + details { margin-top: 12px }
details p { font: 0.9375rem/1.375rem var(--sans) }
details form p { font: 0.875rem/1.25rem var(--sans) }
summary { box-sizing: border-box; width: fit-content; min-height: 48px; margin: 0 auto; padding: 13px 8px; cursor: pointer;
  color: var(--quiet); font: 0.9375rem/1.375rem var(--sans); text-align: center; text-decoration: underline; text-underline-offset: 0.2em; list-style: none }
summary::-webkit-details-marker { display: none }
details[open] summary { color: var(--ink); text-decoration: none }
details form { margin: 16px 0 24px }
button { margin-top: 24px; min-height: 52px; padding: 10px 32px; border: 0; border-radius: 6px; cursor: pointer;
  background: var(--ink); color: var(--paper); font: 500 1rem/1.5rem var(--sans) }
form button { width: 100%; margin-top: 16px }
[type=hidden] + button { margin-top: 0 }
.with-action { display: block; position: relative }
.with-action button { position: absolute; inset-block: 8px; inset-inline-end: 2px; width: auto; min-width: 4rem; min-height: 48px;
  margin: 0; padding: 0 12px; background: transparent; color: var(--quiet); font: 500 0.875rem/1.25rem var(--sans) }
.with-action button:focus-visible { outline-offset: -4px }
.with-action :only-child { padding-inline-end: 16px }
.with-action input { padding-inline-end: 4.75rem }
.button { box-sizing: border-box; display: block; width: 100%; margin-top: 24px; padding: 12px 32px; border-radius: 6px;
  background: var(--ink); color: var(--paper); font: 500 1rem/1.75rem var(--sans); text-decoration: none }
.address { color: var(--ink) }
[role=status]:empty { display: none }
main:focus { outline: 0 }
.quiet { border: 1px solid; background: transparent; color: var(--ink) }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 3px; border-radius: 2px }
input:not([type=checkbox], [type=radio]):focus-visible { outline-offset: -1px; border-radius: 6px }
`

/** A short page outside the web app, with the content security policy that allows only its own parts. */
export type SmallPage = { html: string; policy: string }

/** The site's name and language, as its pages show them. */
export type PageSite = { name: string; language: string }

type Parts = {
  site: PageSite
  title: string
  heading: string
  content: Html
  /** Runs after the page has loaded; reads `data` from the element `data`. */
  script?: {
    code: string
    data: unknown
    /** Whether the script calls the site. */
    sendsRequests?: boolean
  }
  sendsForm?: boolean
  continueTo?: URL
  /** Whether the page is a window of its own, which closes and leads nowhere. */
  isPopup?: boolean
}

export function smallPage(parts: Parts): SmallPage {
  const { site, title, heading, content, script, continueTo, isPopup } = parts
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    "font-src 'self'",
    ...(script === undefined ? [] : [`script-src ${hashSource(script.code)}`]),
    ...(script?.sendsRequests === true ? ["connect-src 'self'"] : []),
    `form-action ${parts.sendsForm === true ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const page = html`<!doctype html>
<html ${languageAttributes(site.language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${site.name}</title>
<style>${rawHtml(style)}</style>
${continueTo && refreshElement(continueTo)}</head>
<body>
<main>
<p class="site">${isPopup === true ? site.name : html`<a href="/">${site.name}</a>`}</p>
<h1>${heading}</h1>
${content}
</main>
${script && scriptElements(script)}</body>
</html>
`
  return { html: page.toString(), policy }
}

/** Sends a small page, which caches must not store. */
export function sendSmallPage(reply: FastifyReply, status: number, page: SmallPage): FastifyReply {
  return reply
    .code(status)
    .headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': page.policy,
    })
    .type('text/html; charset=utf-8')
    .send(page.html)
}

/** Returns the page of unknown URLs. */
export function notFoundPage(site: PageSite): SmallPage {
  return smallPage({
    site,
    title: 'Page not found',
    heading: 'This page doesn’t exist',
    content: html`<p><a href="/">Go to ${site.name}</a></p>`,
  })
}

function refreshElement({ href }: URL): Html {
  return html`<meta http-equiv="refresh" content="0;url=${href}">\n`
}

function scriptElements({ code, data }: { code: string; data: unknown }): Html {
  return html`<script type="application/json" id="data">${jsonHtml(data)}</script>\n<script>${rawHtml(code)}</script>\n`
}

/** Returns the source expression of an inline script or style in a content security policy. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
