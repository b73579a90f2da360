import { describe, expect, it } from 'vitest'
import { appConfigSchema, firstAppConfig } from './app-config.ts'

const plan = { id: 'pln_one', name: 'One' }
const price = { id: 'prc_one', amount: 4.99, currency: 'usd', interval: 'MONTHLY' }
const field = { key: 'name', label: 'Name' }

/** Returns the errors of a configuration, each with its path. */
function refusalsOf(config: object): string {
  const result = appConfigSchema.safeParse({ name: 'A site', ...config })
  if (result.success) throw new Error('The configuration was accepted')
  return result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n')
}

function withPrice(change: object): object {
  return { plans: [{ ...plan, prices: [{ ...price, ...change }] }] }
}

describe('appConfigSchema', () => {
  it('requires only a name', () => {
    expect(appConfigSchema.parse({ name: 'A site' })).toEqual({
      name: 'A site',
      isPaid: false,
      allowedOrigins: [],
      branding: { logo: null, primaryButton: 'rgb(41, 98, 255)' },
      customFields: [],
      authProviders: null,
      passwordless: { enabled: true, isDefault: false },
      captcha: null,
      ssoSignupButtonURL: null,
      ssoText: null,
      allowMemberSelfDelete: true,
      loginRedirect: null,
      logoutRedirect: null,
      plans: [],
      translations: {},
    })
  })

  it('parses its own output', () => {
    const config = firstAppConfig('A site')
    expect(appConfigSchema.parse(JSON.parse(JSON.stringify(config)))).toEqual(config)
  })

  it('adds the defaults of a field, a plan and a price', () => {
    const config = appConfigSchema.parse({ name: 'A site', customFields: [field], ...withPrice({}) })
    expect(config.customFields).toEqual([{ ...field, hidden: false, type: 'text', visibility: 'PRIVATE' }])
    expect(config.plans).toEqual([
      {
        ...plan,
        description: null,
        status: 'ACTIVE',
        priority: null,
        permissions: [],
        memberLimit: null,
        restrictToAdmin: false,
        delivers: false,
        prices: [{ ...price, name: null, type: 'SUBSCRIPTION', active: true }],
      },
    ])
  })

  it.each([0.01, 0.07, 0.29, 1.1, 1.15, 4.35, 9.95, 19.99, 49.99, 64.1, 1_000, 999_999.99, 1_000_000])(
    'accepts the amount %d',
    (amount) => {
      expect(appConfigSchema.safeParse({ name: 'A site', ...withPrice({ amount }) }).success).toBe(true)
    },
  )

  it.each([
    ['MONTHLY', 'SUBSCRIPTION'],
    ['YEARLY', 'SUBSCRIPTION'],
    [null, 'ONETIME'],
  ])('accepts the interval %s with %s', (interval, type) => {
    expect(appConfigSchema.safeParse({ name: 'A site', ...withPrice({ interval, type }) }).success).toBe(true)
  })

  it.each([
    ['no name', { name: '' }, 'name'],
    ['an unknown key', { allowedOrigin: [] }, 'allowedOrigin'],
    ['an unknown key of a field', { customFields: [{ ...field, hiden: true }] }, 'hiden'],
    ['an unknown key of a plan', { plans: [{ ...plan, limit: 1 }] }, 'limit'],
    ['an unknown key of a price', withPrice({ price: 1 }), 'price'],
    ['an unknown key of the branding', { branding: { color: 'red' } }, 'color'],
    ['an unknown key of passwordless', { passwordless: { on: true } }, 'on'],
    ['a duplicate field', { customFields: [field, field] }, "customFields: 'name' is used twice"],
    ['a duplicate plan', { plans: [plan, plan] }, "plans: 'pln_one' is used twice"],
    [
      'a duplicate price in two plans',
      {
        plans: [
          { ...plan, prices: [price] },
          { ...plan, id: 'pln_two', prices: [price] },
        ],
      },
      "prices: 'prc_one' is used twice",
    ],
    ['a subscription without an interval', withPrice({ interval: null }), 'prc_one: a SUBSCRIPTION has'],
    [
      'a subscription with an undefined interval',
      withPrice({ interval: undefined }),
      'prc_one: a SUBSCRIPTION',
    ],
    ['a one-time price with an interval', withPrice({ type: 'ONETIME' }), 'a ONETIME price has none'],
    ['a weekly price', withPrice({ interval: 'WEEKLY' }), 'interval'],
    ['a price of zero', withPrice({ amount: 0 }), 'amount'],
    ['a negative price', withPrice({ amount: -1 }), 'amount'],
    ['a fraction of a cent', withPrice({ amount: 4.995 }), 'amount'],
    ['a price as a string', withPrice({ amount: '4.99' }), 'amount'],
    ['a currency in upper case', withPrice({ currency: 'USD' }), 'three small letters'],
    ['a price id with a wrong prefix', withPrice({ id: 'pln_one' }), 'must be prc_'],
    ['a plan id with a wrong prefix', { plans: [{ ...plan, id: 'prc_one' }] }, 'must be pln_'],
    ['a plan id without a name', { plans: [{ ...plan, id: 'pln_' }] }, 'must be pln_'],
    ['a plan id with a path', { plans: [{ ...plan, id: 'pln_../x' }] }, 'must be pln_'],
    ['a plan id with a line break', { plans: [{ ...plan, id: 'pln_one\n' }] }, 'must be pln_'],
    ['a plan without a name', { plans: [{ id: 'pln_one' }] }, 'plans.0.name'],
    ['a permission with a space', { plans: [{ ...plan, permissions: ['a b'] }] }, 'permissions.0'],
    ['a limit of no members', { plans: [{ ...plan, memberLimit: 0 }] }, 'memberLimit'],
    ['a field that begins with a digit', { customFields: [{ ...field, key: '1st' }] }, 'begin with a letter'],
    ['a field of the prototype', { customFields: [{ ...field, key: '__proto__' }] }, 'begin with a letter'],
    ['a field of an unknown type', { customFields: [{ ...field, type: 'date' }] }, 'customFields.0.type'],
    ['an origin with a path', { allowedOrigins: ['https://a.example/x'] }, 'must be an origin'],
    ['an origin with a slash', { allowedOrigins: ['https://a.example/'] }, 'must be an origin'],
    ['a wildcard origin', { allowedOrigins: ['https://*.a.example'] }, 'must be an origin'],
    ['every origin', { allowedOrigins: ['*'] }, 'must be an origin'],
    ['the origin null', { allowedOrigins: ['null'] }, 'must be an origin'],
    ['an origin in upper case', { allowedOrigins: ['https://A.example'] }, 'must be an origin'],
    ['a translation that is not a string', { translations: { hello: 1 } }, 'translations.hello'],
  ])('rejects %s and names it', (_name, config, word) => {
    expect(refusalsOf(config)).toContain(word)
  })

  it.each([null, [], 'A site', 1])('rejects %j', (config) => {
    expect(appConfigSchema.safeParse(config).success).toBe(false)
  })

  it('reports all errors at once', () => {
    const refusals = refusalsOf({ plans: [plan, plan], customFields: [field, field] })
    expect(refusals).toContain("'name' is used twice")
    expect(refusals).toContain("'pln_one' is used twice")
  })
})
