import { fontSubsets } from '@tidings/ui/bundling/font-subsets'
import { precompress } from '@tidings/ui/bundling/precompress'
import { repeatableImports } from '@tidings/widget/repeatable-imports'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstMemos } from './bundling/first-memos.ts'
import { installable } from './bundling/installable.ts'
import { serviceWorker } from './bundling/service-worker.ts'
import { smallSchemas } from './bundling/small-schemas.ts'
import { styles } from './bundling/styles.ts'

const api = process.env.TIDINGS_API_URL ?? 'http://localhost:3000'
const apiPrefixes = [
  ...[
    '/gate',
    '/cms',
    '/edition',
    '/media',
    '/gated',
    '/app',
    '/app-member',
    '/auth',
    '/member',
    '/member-auth',
  ],
  ...['/secure-content', '/comments', '/profile-images', '/feeds'],
]

const sharedByScreens =
  /\/web\/src\/(components|lib)\/|\/ui\/src\/|features\/(login|account\/plan)\/|\/(contracts|client)\/src\/|\/captcha\/(|open-|script-)captcha/

/** The client, the dialogs, their languages and captchas. */
const membershipChunks = /\/(site-client|open-dialog|en|es|fr|de|altcha|hcaptcha|turnstile|recaptcha)-/

export default defineConfig({
  // React has had this itself since version 18; without the alias, a substitute for older ones would be loaded.
  resolve: {
    alias: [
      {
        find: 'use-sync-external-store/shim/with-selector',
        replacement: 'use-sync-external-store/with-selector',
      },
    ],
  },
  plugins: [
    react(),
    smallSchemas(),
    fontSubsets(),
    styles(),
    firstMemos(),
    installable(),
    repeatableImports(membershipChunks),
    precompress(),
    serviceWorker(),
  ],
  server: {
    port: 5173,
    proxy: {
      ...Object.fromEntries(apiPrefixes.map((prefix) => [`^${prefix}(/|$|\\?)`, api])),
      '/socket': { target: api, ws: true },
    },
  },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // No inline assets: the page's security policy forbids them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: 'static/[name]-[hash][extname]',
        // One chunk for what every visit loads, and one for what screens share: by default, each such part is a request.
        codeSplitting: {
          groups: [
            { name: 'index', test: /src\/main\.tsx$/, priority: 3 },
            { name: 'registration', test: /service-worker\/registration\.ts$/, priority: 2 },
            { name: 'shared', test: sharedByScreens, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
})
