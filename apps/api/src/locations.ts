import { fileURLToPath } from 'node:url'
import type { Locations } from './config/config.ts'

// Among the sources every program lies in the folder of what it is about; bundles lie side by side.
const hasher = import.meta.url.endsWith('.ts') ? 'platform/passwords/hasher.ts' : 'hasher.js'

/** What a process reads, from the place of its main file: `apps/api/src` or `apps/api/dist`. */
export function locationsFrom(mainFileUrl: string): Locations {
  return {
    webApp: fileURLToPath(new URL('../../web/dist', mainFileUrl)),
    client: fileURLToPath(new URL('../../../packages/client/dist', mainFileUrl)),
    migrations: fileURLToPath(new URL('../../../prisma/migrations', mainFileUrl)),
    hasher: fileURLToPath(new URL(hasher, mainFileUrl)),
  }
}
