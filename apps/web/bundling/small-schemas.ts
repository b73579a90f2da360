import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Replaces `zod/mini` in the site; its tests keep the real one. A chunk that needs all of zod imports `zod`. */
export const smallSchemasAlias = {
  find: /^zod\/mini$/,
  replacement: join(import.meta.dirname, '../src/lib/api/small-schemas.ts'),
}

/** Fails the build when a schema uses a function that the small schemas lack: it would only fail in the browser. */
export function completeSchemas(): Plugin {
  return {
    name: 'tidings-complete-schemas',
    apply: 'build',
    onLog(_level, { code, message }) {
      if (code !== 'IMPORT_IS_UNDEFINED') return
      throw new Error(`${message} Add it to src/lib/api/small-schemas.ts, or import it from 'zod'.`)
    },
  }
}
