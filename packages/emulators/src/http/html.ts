import type { FastifyReply } from 'fastify'

/** The site's colors, light and dark, as custom properties. */
export const palette = `:root { color-scheme: light dark; --paper: #fbf8f1; --ink: #1c1b19; --quiet: #5f5a52; --rule: #e4ded2; --accent: #a6402b }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161513; --ink: #ece7dd; --quiet: #a79f92; --rule: #2c2925; --accent: #e58b73 }
}`

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns a text escaped for HTML and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Sends an HTML page with its Content-Security-Policy. */
export function sendPage(
  reply: FastifyReply,
  html: string,
  policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
) {
  return reply.type('text/html').header('content-security-policy', policy).send(html)
}
