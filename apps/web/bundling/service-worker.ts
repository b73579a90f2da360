import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { iconFile } from './installable.ts'

const fontFiles = /^static\/.+\.woff2$/
/** The code of all screens: they are small, but the phone library is not. */
const screenFiles = /^static\/(js\/(?!phone-library-).+\.js|.+\.css)$/

/** Returns whether a chunk is of the membership dialogs, which need the server. Offline, links lead to the screens. */
function isDialogChunk(output: Rolldown.OutputBundle[string] | undefined): boolean {
  return output?.type === 'chunk' && (output.facadeModuleId ?? '').includes('/packages/widget/')
}

/** Builds the service worker after the page, with the lists of the files that it keeps. */
export function serviceWorker(): Plugin {
  let root = ''
  let outDir = ''
  let precached: string[] = []
  let fonts: string[] = []
  let screens: string[] = []
  let icons = {}
  return {
    name: 'tidings-service-worker',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = config.build.outDir
    },
    writeBundle(_options, bundle) {
      const shell = bundle['index.html']
      const html = shell?.type === 'asset' ? String(shell.source) : ''
      const shellFiles = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file)
      if (shellFiles.length === 0) throw new Error('The shell loads no script')
      icons = {
        icon: iconFile('icon-192', Object.keys(bundle)),
        badge: iconFile('badge', Object.keys(bundle)),
      }
      const files = Object.keys(bundle).filter((file) => !isDialogChunk(bundle[file]))
      precached = files.filter((file) => shellFiles.includes(file))
      fonts = files.filter((file) => fontFiles.test(file))
      screens = files.filter((file) => screenFiles.test(file) && !precached.includes(file))
    },
    async closeBundle() {
      // File names contain a hash of the content, so they need no revision.
      const entries = precached.map((file) => ({ url: `/${file}`, revision: null }))
      await build({
        root,
        configFile: false,
        logLevel: 'warn',
        define: {
          __PRECACHED_FILES__: JSON.stringify(entries),
          __FONT_FILES__: JSON.stringify(fonts.map((file) => `/${file}`)),
          __SCREEN_FILES__: JSON.stringify(screens.map((file) => `/${file}`)),
          __NOTIFICATION_ICONS__: JSON.stringify(icons),
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
