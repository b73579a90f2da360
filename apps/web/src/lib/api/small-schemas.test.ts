import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as zod from 'zod/mini'
import * as small from './small-schemas.ts'

/** A schema, as data from which both libraries make theirs. */
type Plan =
  | { kind: 'string' | 'uuid' | 'number' | 'int' | 'boolean' | 'literal' | 'enum' }
  | { kind: 'optional' | 'nullable' | 'array' | 'record' | 'default'; inner: Plan }
  | { kind: 'object' | 'extend' | 'union'; fields: Record<string, Plan> }

const leaf = fc.constantFrom(...(['string', 'uuid', 'number', 'int', 'boolean', 'literal', 'enum'] as const))
const fieldName = fc.constantFrom('a', 'b', 'c')
const plans = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ kind: leaf }),
    fc.record({
      kind: fc.constantFrom(...(['optional', 'nullable', 'array', 'record', 'default'] as const)),
      inner: tie('plan'),
    }),
    fc.record({
      kind: fc.constantFrom(...(['object', 'extend', 'union'] as const)),
      fields: fc.dictionary(fieldName, tie('plan'), { maxKeys: 3, noNullPrototype: true }),
    }),
  ),
})).plan

const zodMakers = {
  string: zod.string,
  uuid: zod.uuid,
  number: zod.number,
  int: zod.int,
  boolean: zod.boolean,
  optional: zod.optional,
  nullable: zod.nullable,
  array: zod.array,
}

function toZod(plan: Plan): zod.ZodMiniType {
  if ('fields' in plan) {
    const shape = Object.fromEntries(Object.entries(plan.fields).map(([key, inner]) => [key, toZod(inner)]))
    if (plan.kind === 'object') return zod.object(shape)
    if (plan.kind === 'extend') return zod.extend(zod.object({ base: zod.string() }), shape)
    const option = (tag: string) => zod.object({ ...shape, tag: zod.literal(tag) })
    return zod.discriminatedUnion('tag', [option('x'), option('y')])
  }
  if (plan.kind === 'literal') return zod.literal('x')
  if (plan.kind === 'enum') return zod.enum(['x', 'y'])
  if (!('inner' in plan)) return zodMakers[plan.kind]()
  const inner = toZod(plan.inner)
  if (plan.kind === 'record') return zod.record(zod.string(), inner)
  return plan.kind === 'default' ? zod._default(inner, 'x') : zodMakers[plan.kind](inner)
}

const smallMakers = {
  string: small.string,
  uuid: small.uuid,
  number: small.number,
  int: small.int,
  boolean: small.boolean,
  optional: small.optional,
  nullable: small.nullable,
  array: small.array,
}

function toSmall(plan: Plan): small.Schema {
  if ('fields' in plan) {
    const shape = Object.fromEntries(Object.entries(plan.fields).map(([key, inner]) => [key, toSmall(inner)]))
    if (plan.kind === 'object') return small.object(shape)
    if (plan.kind === 'extend') return small.extend(small.object({ base: small.string() }), shape)
    const option = (tag: string) => small.object({ ...shape, tag: small.literal(tag) })
    return small.discriminatedUnion('tag', [option('x'), option('y')])
  }
  if (plan.kind === 'literal') return small.literal('x')
  if (plan.kind === 'enum') return small.enum(['x', 'y'])
  if (!('inner' in plan)) return smallMakers[plan.kind]()
  const inner = toSmall(plan.inner)
  if (plan.kind === 'record') return small.record(small.string(), inner)
  return plan.kind === 'default' ? small._default(inner, 'x') : smallMakers[plan.kind](inner)
}

const simple = fc.oneof(
  fc.constantFrom('x', 'y', '', null, true, 0, 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53),
  fc.uuid(),
  fc.string({ maxLength: 3 }),
  fc.constant(undefined),
)

/** Returns values that match a plan, but for some parts. */
function valuesOf(plan: Plan): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: matching(plan) }, { weight: 1, arbitrary: simple })
}

function matching(plan: Plan): fc.Arbitrary<unknown> {
  if ('fields' in plan) {
    const fields = Object.entries(plan.fields).map(([key, inner]) => [key, valuesOf(inner)])
    const named: Record<string, fc.Arbitrary<unknown>> = {
      ...Object.fromEntries(fields),
      tag: simple,
      base: fc.string(),
      other: simple,
    }
    return fc.record(named, { requiredKeys: ['tag', 'base'], noNullPrototype: true })
  }
  if (!('inner' in plan)) return simple
  if (plan.kind === 'array') return fc.array(valuesOf(plan.inner), { maxLength: 3 })
  if (plan.kind === 'record')
    return fc.dictionary(fieldName, valuesOf(plan.inner), { maxKeys: 3, noNullPrototype: true })
  return valuesOf(plan.inner)
}

describe('the small schemas', () => {
  it('accept, reject and return what zod does', () => {
    const cases = plans.chain((plan) => fc.tuple(fc.constant(plan), valuesOf(plan)))
    fc.assert(
      fc.property(cases, ([plan, value]) => {
        const expected = toZod(plan).safeParse(value)
        const { success, data } = toSmall(plan).safeParse(value)
        expect({ success, data }).toStrictEqual({ success: expected.success, data: expected.data })
      }),
      { seed: 33, numRuns: 5_000 },
    )
  })

  it('name the place that differs', () => {
    const schema = small.object({
      memos: small.array(small.object({ title: small.string().check(small.describe('Title')) })),
    })
    const result = schema.safeParse({ memos: [{ title: 'a' }, { title: 1 }] })
    expect(result.success ? '' : result.error.message).toBe('memos.1.title: expected a text')
    expect(() => schema.parse(null)).toThrow('value: expected an object')
  })
})
