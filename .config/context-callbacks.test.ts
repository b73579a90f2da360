import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkCallbacks, findCallbacks, readProgram } from './context-callbacks.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-context-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const features = {
  'features/plans/index.ts': `
    type Deps = { clock: () => number; onPaid: () => void; price?: number }
    export function createPlans({ clock, onPaid }: Deps) { return { list: () => clock(), onPaid } }`,
  'features/billing/index.ts': `
    export function createBilling(deps: { clock: () => number }) { return { paid() {}, deps } }
    export function recordPaid(at: number) {}`,
}

/** Returns the callbacks of a context, each as a sentence. */
function callbacksOf(context: Record<string, string>): string[] {
  const imports = `
    import { createPlans } from '${'context.ts' in context ? './' : '../'}features/plans/index.ts'
    import { createBilling, recordPaid } from '${'context.ts' in context ? './' : '../'}features/billing/index.ts'
    const clock = () => 1\n`
  for (const [name, text] of Object.entries({ ...features, ...context })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), name.startsWith('context') ? imports + text : text)
  }
  const program = readProgram(join(folder, Object.keys(context)[0] ?? ''), {
    lib: ['lib.es5.d.ts'],
    types: [],
    allowImportingTsExtensions: true,
  })
  return findCallbacks(program, folder).map(({ to, name, from }) => `${to} gets ${name} of ${from}`)
}

describe('findCallbacks', () => {
  const found = ['plans gets onPaid of billing']

  it.each([
    ['a method', 'const billing = createBilling({ clock }); createPlans({ clock, onPaid: billing.paid })'],
    ['a shorthand', 'const onPaid = createBilling({ clock }).paid; createPlans({ clock, onPaid })'],
    [
      'a destructured method',
      'const { paid: onPaid } = createBilling({ clock }); createPlans({ clock, onPaid })',
    ],
    ['a function around one', 'createPlans({ clock, onPaid: () => recordPaid(clock()) })'],
    ['a condition', 'createPlans({ clock, onPaid: clock() ? createBilling({ clock }).paid : () => {} })'],
    [
      'a spread',
      'const shared = { clock, onPaid: createBilling({ clock }).paid }; createPlans({ ...shared })',
    ],
    [
      "what a type of the context takes from a feature's",
      `type Deps = { clock: () => number; onPaid: ReturnType<typeof createBilling>['paid'] }
      function plansOf(deps: Deps) { return createPlans(deps) }`,
    ],
    [
      'what another function of the context returns',
      `function billingOf() { return { onPaid: createBilling({ clock }).paid, clock } }
      function plansOf(deps: ReturnType<typeof billingOf> & { other: number }) { return createPlans(deps) }`,
    ],
  ])('finds %s', (_, text) => {
    expect(callbacksOf({ 'context.ts': text })).toEqual(found)
  })

  it('reads the files in context/', () => {
    const text = 'createPlans({ clock, onPaid: () => recordPaid(1) })'

    expect(callbacksOf({ 'context/plans.ts': text })).toEqual(found)
    expect(callbacksOf({ 'other/plans.ts': text })).toEqual([])
  })

  it.each([
    [
      "a feature's own function",
      'createPlans({ clock, onPaid: createPlans({ clock, onPaid() {} }).onPaid })',
    ],
    ['what no feature declares', 'createPlans({ clock, onPaid: () => {} })'],
    [
      'what is spread and not taken',
      'const paid = recordPaid; createPlans({ clock, onPaid() {}, ...{ paid } })',
    ],
  ])('ignores %s', (_, text) => {
    expect(callbacksOf({ 'context.ts': text })).toEqual([])
  })
})

describe('checkCallbacks', () => {
  const found = [{ to: 'plans', name: 'onPaid', from: 'billing' }]
  const callbacks = { plans: { onPaid: { from: 'billing', reason: 'because' } } }

  it('names one that is not listed', () => {
    expect(checkCallbacks(found, { imports: {}, callbacks: {} })).toEqual([
      'plans gets onPaid of billing: not listed',
    ])
    expect(checkCallbacks(found, { imports: {}, callbacks })).toEqual([])
  })

  it('accepts what a feature may import', () => {
    expect(checkCallbacks(found, { imports: { plans: { billing: 'because' } }, callbacks: {} })).toEqual([])
  })

  it('names a listed one that is not handed up', () => {
    expect(checkCallbacks([], { imports: {}, callbacks })).toEqual([
      'plans gets onPaid of billing: listed, but not handed up',
    ])
  })
})
