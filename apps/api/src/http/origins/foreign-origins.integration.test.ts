import { describe, expect } from 'vitest'
import { routesTest } from '#test/fixtures.ts'
import { onlyBy, readableBy } from '#test/origins.ts'
import { addressOf, nameOf, needsApp } from '#test/route-table.ts'

const allowed = 'https://shop.example.com'
const foreign = 'https://evil.example'
/** Files that are public to every origin. */
const publicFiles = /^\/(profile-images|membership)\//
/** Paths for readers, editors and machines of the site itself. */
const siteOnly =
  /^\/(gate|cms|edition|media|gated|socket|desk|healthz|readyz|metrics|openapi\.json|docs|static|fonts|auth-provider)(\/|$)/

const it = routesTest({ ALLOWED_ORIGINS: allowed }).extend('ann', { scope: 'file' }, ({ members }) =>
  members.signUp(),
)

describe('a page of a foreign origin', () => {
  it('is rejected by every membership route, with or without a login', async ({
    site,
    routes,
    members,
    ann,
  }) => {
    const membership = routes.filter(needsApp)
    expect(membership.length).toBeGreaterThan(40)
    for (const route of membership) {
      for (const origin of [foreign, 'null']) {
        const reply = await site.app.inject({
          method: route.method,
          url: addressOf(route),
          headers: { ...ann.headers, origin },
        })
        expect(reply.statusCode, nameOf(route)).toBe(403)
        expect(readableBy(reply), nameOf(route)).toEqual(onlyBy())
        if (route.method !== 'HEAD') {
          expect(reply.json().error.code, nameOf(route)).toBe('domain-not-permitted')
        }
      }
    }
    expect((await members.call('GET', '/member', { headers: ann.headers })).json().data.id).toBe(ann.memberId)
  })

  it('can read no other route', async ({ site, routes }) => {
    for (const route of routes.filter(({ url }) => !publicFiles.test(url))) {
      const reply = await site.app.inject({
        method: route.method,
        url: addressOf(route),
        headers: { origin: foreign, cookie: site.pass, authorization: site.editor },
      })
      expect(readableBy(reply), nameOf(route)).toEqual(onlyBy())
    }
  })
})

describe('a public file', () => {
  it('is readable from every origin, without credentials', async ({ site, routes }) => {
    const files = routes.filter(({ url }) => publicFiles.test(url))
    expect(files.length).toBeGreaterThan(0)
    for (const route of files) {
      for (const origin of [allowed, foreign]) {
        const reply = await site.app.inject({
          method: route.method,
          url: addressOf(route),
          headers: { origin },
        })
        expect(readableBy(reply).credentials, nameOf(route)).toBeUndefined()
      }
    }
  })
})

describe('a page of an allowed origin', () => {
  it("can read none of the site's own paths, even with a gate pass or an editor key", async ({
    site,
    routes,
  }) => {
    const own = routes.filter(({ url }) => siteOnly.test(url))
    expect(own.length).toBeGreaterThan(40)
    for (const route of own) {
      const reply = await site.app.inject({
        method: route.method,
        url: addressOf(route),
        headers: { origin: allowed, cookie: site.pass, authorization: site.editor },
      })
      expect(readableBy(reply), nameOf(route)).toEqual(onlyBy())
    }
  })

  it.for([
    '/gate',
    '/%67ate',
    '/%67%61%74%65',
    '/ga%74e?x=1',
    '/g%61te?x=%zz',
    '//gate',
    '/%65dition/prod/get_list',
    '/edition%2Fprod/get_list',
    '/edition/nowhere',
    '/%64esk/v1/editions',
    '/auth%2Dprovider/login',
  ])('cannot read %s in any spelling', async (url, { site }) => {
    const reply = await site.app.inject({
      url,
      headers: { origin: allowed, cookie: site.pass, authorization: site.editor },
    })
    expect(readableBy(reply)).toEqual(onlyBy())
  })

  it.for(['/gate', '/desk/v1/editions', '/edition/update_counter', '/%67ate'])(
    'gets no preflight permission for %s',
    async (url, { site }) => {
      const reply = await site.app.inject({
        method: 'OPTIONS',
        url,
        headers: { origin: allowed, 'access-control-request-method': 'POST' },
      })
      expect(reply.statusCode).toBeGreaterThanOrEqual(400)
      expect(readableBy(reply)).toEqual(onlyBy())
    },
  )

  it.for(['/gateway', '/application', '/auth/captcha/challenge', '/editions', '/static-pages'])(
    'can read a path with the same prefix: %s',
    async (url, { site }) => {
      const reply = await site.app.inject({ url, headers: { origin: allowed } })
      expect(readableBy(reply)).toEqual(onlyBy(allowed))
    },
  )
})
