import { urlOf } from '@tidings/contracts/endpoint'
import { likeMemo } from '@tidings/contracts/routes'
import { expect } from 'vitest'
import { publishedEdition } from '../factories/editions.ts'
import { siteTest } from '../fixtures.ts'
import type { TestApp } from '../test-app.ts'

type LikesOptions = { site: TestApp; forgets?: boolean; from?: string }

/** Returns the `it` of tests on a site with this environment. */
export function likesTest() {
  return siteTest()
    .extend('publishMemo', { scope: 'file' }, ({ site }) => {
      let nextDay = 1
      return async () => {
        const day = String(nextDay).padStart(2, '0')
        nextDay += 1
        const { memos } = await publishedEdition(site.context, `10-${day}-26-10AM`, 1)
        return memos[0]?.id ?? ''
      }
    })
    .extend('openBrowser', { scope: 'file' }, ({ site }) => {
      return (options: Omit<LikesOptions, 'site'> = {}) => createBrowser({ site, ...options })
    })
    .extend('countLikes', { scope: 'file' }, ({ db }) => async (id: string) => {
      const { likeCount } = await db.memo.findUniqueOrThrow({ where: { id } })
      expect(await db.memoLike.count({ where: { memoId: id } })).toBe(likeCount)
      return likeCount
    })
}

/**
 * Creates a browser with a gate pass that stores cookies, unless `forgets`. Its requests come from the IP address
 * `from`.
 */
export function createBrowser({ site: { app, context }, forgets = false, from = '127.0.0.1' }: LikesOptions) {
  const cookies = new Map([['tidings_gate', context.gatePass.issue()]])
  return {
    cookies,
    async like(id: unknown, add: unknown = true) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await app.inject({
        method: likeMemo.method,
        url: urlOf(likeMemo),
        headers: { cookie },
        payload: { id, add },
        remoteAddress: from,
      })
      for (const { name, value } of reply.cookies) if (!forgets) cookies.set(name, value)
      return reply
    },
  }
}
