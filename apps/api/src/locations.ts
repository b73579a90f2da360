import { fileURLToPath } from 'node:url'
import type { Locations } from './config/config.ts'

// The sources of child processes and threads are in their folders; their bundles are beside the others.
const [hasher, pdfCompiler, heicDecoder, reportReader] = import.meta.url.endsWith('.ts')
  ? [
      'platform/passwords/hasher.ts',
      'integrations/pdf/pdf-compiler.ts',
      'integrations/pictures/heic-decoder.ts',
      'integrations/mail/reports/report-reader-thread.ts',
    ]
  : ['hasher.js', 'pdf-compiler.js', 'heic-decoder.js', 'report-reader.js']

/** Returns the paths that a process reads, from the URL of its main file in `apps/api/src` or `apps/api/dist`. */
export function locationsFrom(mainFileUrl: string): Locations {
  return {
    webApp: fileURLToPath(new URL('../../web/dist', mainFileUrl)),
    deskApp: fileURLToPath(new URL('../../desk/dist', mainFileUrl)),
    client: fileURLToPath(new URL('../../../packages/client/dist', mainFileUrl)),
    widget: fileURLToPath(new URL('../../../packages/widget/dist', mainFileUrl)),
    migrations: fileURLToPath(new URL('../../../prisma/migrations', mainFileUrl)),
    hasher: fileURLToPath(new URL(hasher, mainFileUrl)),
    pdfCompiler: fileURLToPath(new URL(pdfCompiler, mainFileUrl)),
    heicDecoder: fileURLToPath(new URL(heicDecoder, mainFileUrl)),
    reportReader: fileURLToPath(new URL(reportReader, mainFileUrl)),
  }
}
