import { fontSubsets } from '@tidings/ui/bundling/font-subsets'
import { precompress } from '@tidings/ui/bundling/precompress'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = process.env.TIDINGS_API_URL ?? 'http://localhost:3000'

export default defineConfig({
  base: '/desk/',
  plugins: [react(), fontSubsets(), precompress()],
  server: {
    port: 5175,
    proxy: { '/desk/v1': api, '/media': api, '/desk/socket': { target: api, ws: true } },
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
        entryFileNames: 'static/[name]-[hash].js',
        chunkFileNames: 'static/[name]-[hash].js',
        assetFileNames: 'static/[name]-[hash][extname]',
      },
    },
  },
})
