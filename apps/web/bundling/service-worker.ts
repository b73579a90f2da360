import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/** The files that every screen needs, and all screens' code: the screens are small, but the phone library is not. */
const precached =
  /^static\/(js\/(?!phone-library-).+\.js|.+\.css|(newsreader|figtree)-latin-wght-normal-.+\.woff2)$/

/** Builds the service worker after the page, with the list of the files that it precaches. */
export function serviceWorker(): Plugin {
  let root = ''
  let outDir = ''
  let files: string[] = []
  return {
    name: 'tidings-service-worker',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = config.build.outDir
    },
    writeBundle(_options, bundle) {
      files = Object.keys(bundle).filter((file) => precached.test(file))
    },
    async closeBundle() {
      // File names contain a hash of the content, so they need no revision.
      const entries = files.map((file) => ({ url: `/${file}`, revision: null }))
      await build({
        root,
        configFile: false,
        logLevel: 'warn',
        define: {
          __PRECACHED_FILES__: JSON.stringify(entries),
          'process.env.NODE_ENV': JSON.stringify('production'),
        },
        build: {
          target: 'es2023',
          outDir,
          emptyOutDir: false,
          modulePreload: false,
          rolldownOptions: {
            input: join(root, 'src/service-worker/service-worker.ts'),
            output: { format: 'iife', entryFileNames: 'service-worker.js' },
          },
        },
      })
    },
  }
}
