import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Replaces `zod/mini` in the built site. A chunk that needs all of zod imports `zod`. Fails the build when a schema uses a
 * function that the small schemas lack: it would only fail in the browser.
 */
export function smallSchemas(): Plugin {
  return {
    name: 'tidings-small-schemas',
    apply: 'build',
    config: () => ({
      resolve: {
        alias: [
          { find: /^zod\/mini$/, replacement: join(import.meta.dirname, '../src/lib/api/small-schemas.ts') },
        ],
      },
    }),
    onLog(_level, { code, message }) {
      if (code !== 'IMPORT_IS_UNDEFINED') return
      throw new Error(`${message} Add it to src/lib/api/small-schemas.ts, or import it from 'zod'.`)
    },
  }
}
