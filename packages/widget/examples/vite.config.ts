import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const siteUrl = process.env.TIDINGS_API_URL ?? 'http://localhost:3000'
const publicKey = process.env.APP_PUBLIC_KEY ?? 'pk_tidings'
// The sources that the README lists, and nothing else.
const strictPolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  `script-src ${siteUrl}`,
  `connect-src ${siteUrl}`,
  `img-src ${siteUrl}`,
].join('; ')

const withSite = (html: string) =>
  html.replaceAll('%SITE_URL%', siteUrl).replaceAll('%PUBLIC_KEY%', publicKey)

/** Serves the strict page as it is: the dev server would add scripts that its policy forbids. */
const examplePages: Plugin = {
  name: 'example-pages',
  transformIndexHtml: { order: 'pre', handler: withSite },
  configureServer(server) {
    server.middlewares.use('/strict-csp.html', (_request, response, next) => {
      readFile(join(import.meta.dirname, 'strict-csp.html'), 'utf8').then((html) => {
        response.setHeader('content-type', 'text/html')
        response.setHeader('content-security-policy', strictPolicy)
        response.end(withSite(html))
      }, next)
    })
  },
}

/** Serves the examples on a page of another origin than the site. */
export default defineConfig({ root: import.meta.dirname, plugins: [examplePages], clearScreen: false })
