import { fileURLToPath } from 'node:url'
import type { Locations } from './config/config.ts'

// The hasher's source is in its folder; its bundle is beside the others.
const hasher = import.meta.url.endsWith('.ts') ? 'platform/passwords/hasher.ts' : 'hasher.js'

/** Returns the paths that a process reads, from the URL of its main file in `apps/api/src` or `apps/api/dist`. */
export function locationsFrom(mainFileUrl: string): Locations {
  return {
    webApp: fileURLToPath(new URL('../../web/dist', mainFileUrl)),
    client: fileURLToPath(new URL('../../../packages/client/dist', mainFileUrl)),
    widget: fileURLToPath(new URL('../../../packages/widget/dist', mainFileUrl)),
    migrations: fileURLToPath(new URL('../../../prisma/migrations', mainFileUrl)),
    hasher: fileURLToPath(new URL(hasher, mainFileUrl)),
  }
}
