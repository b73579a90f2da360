import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locations } from '#config/config.ts'

/** Replaces `src/locations.ts` in processes under test, with the fake web app in the working folder. */
export function locationsFrom(_mainFileUrl: string): Locations {
  return {
    webApp: path.join(process.cwd(), 'web'),
    deskApp: path.join(process.cwd(), 'web/desk'),
    client: path.join(process.cwd(), 'web'),
    widget: path.join(process.cwd(), 'web'),
    migrations: fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url)),
    hasher: fileURLToPath(new URL('../../src/platform/passwords/hasher.ts', import.meta.url)),
    heicDecoder: fileURLToPath(new URL('../../src/integrations/pictures/heic-decoder.ts', import.meta.url)),
    reportReader: fileURLToPath(
      new URL('../../src/integrations/mail/reports/report-reader-thread.ts', import.meta.url),
    ),
    pdfCompiler: fileURLToPath(new URL('../../src/integrations/pdf/pdf-compiler.ts', import.meta.url)),
  }
}
