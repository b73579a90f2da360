import { fileURLToPath } from 'node:url'
import type { Locations } from './config/config.ts'

/** The folders that a process reads, from the place of its main file: `apps/api/src` or `apps/api/dist`. */
export function locationsFrom(mainFileUrl: string): Locations {
  return {
    webApp: fileURLToPath(new URL('../../web/dist', mainFileUrl)),
    migrations: fileURLToPath(new URL('../../../prisma/migrations', mainFileUrl)),
  }
}
