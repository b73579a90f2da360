import type { SiteStart, StartEditions } from '@tidings/contracts/site/site-start'
import { LRUCache } from 'lru-cache'
import { createRepeatedWarning, type Logger } from '#platform/logger.ts'
import { type Precompressed, precompress } from './precompressed.ts'
import { writeSiteStart } from './site-config.ts'

type Deps = {
  /** The shell with its configuration. */
  html: string
  gatePass: { on: boolean; isPassed: (cookieHeader: string | undefined) => boolean }
  startEditions: () => Promise<StartEditions>
  logger: Logger
}

// Closed, and open before and after an edition or a midnight.
const shellsKept = 4

/** Returns the function that creates a requester's shell: with the lists of editions only for those who may read. */
export function createShells({ html, gatePass, startEditions, logger }: Deps) {
  const compressed = new LRUCache<string, Promise<Precompressed>>({
    max: shellsKept,
    memoMethod: (page) => precompress(page, 'text/html'),
  })

  const warn = createRepeatedWarning(logger, 'shell lists query failed')

  return async (cookieHeader: string | undefined): Promise<Precompressed> => {
    const passed = gatePass.isPassed(cookieHeader)
    const editions = passed ? await startEditions().catch(withoutLists) : undefined
    const start: SiteStart = {
      gate: { on: gatePass.on, passed },
      ...(editions === undefined ? {} : { editions }),
    }
    return await compressed.memo(writeSiteStart(html, start))
  }

  /** Without the lists, the page requests them itself and shows what failed. */
  function withoutLists(error: unknown): undefined {
    warn({ err: error })
  }
}
