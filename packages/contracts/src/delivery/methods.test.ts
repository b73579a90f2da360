import { describe, expect, it } from 'vitest'
import {
  type ChosenMethods,
  type DeliveryMethod,
  deliveryMethods,
  exclusionNote,
  factsOf,
  fieldsOf,
  isDeliveryMethod,
  methodsOf,
  smsMethods,
  storedMethods,
  withChoice,
  withKeyword,
  withMethod,
} from './methods.ts'

const none: ChosenMethods = new Set()
const all: ChosenMethods = new Set(deliveryMethods)

function set(...methods: DeliveryMethod[]): ChosenMethods {
  return new Set(methods)
}

/** All combinations of methods, which stored fields may have. */
const combinations = Array.from({ length: 2 ** deliveryMethods.length }, (_, bits) =>
  set(...deliveryMethods.filter((_method, index) => bits & (1 << index))),
)
const changes = deliveryMethods.flatMap((method) => [
  { method, isOn: true },
  { method, isOn: false },
])

/** Whether a member can receive these together. */
function isPossible(methods: ChosenMethods): boolean {
  return !methods.has('digest') || methods.size === 1
}

describe('the table of methods', () => {
  it('names only methods, and each label and field once', () => {
    for (const key of ['label', 'field', 'name'] as const) {
      expect(new Set(deliveryMethods.map((method) => factsOf(method)[key])).size).toBe(deliveryMethods.length)
    }
    const named = deliveryMethods.flatMap((method) => [...factsOf(method).replaces, ...factsOf(method).ends])
    expect(named.filter((name) => !isDeliveryMethod(name))).toEqual([])
    expect(isDeliveryMethod('constructor')).toBe(false)
  })

  it('says what screens have said', () => {
    expect(deliveryMethods.map((method) => factsOf(method).label)).toEqual([
      'Memo by e-mail',
      'Memo by SMS',
      'PDF by e-mail',
      'PDF by SMS',
      'Evening digest',
    ])
  })
})

describe('stored custom fields', () => {
  const off = [false, 'false', null, undefined, '', 'yes', 'TRUE', ' true', 1, 0, [], [true], {}]
  it.each<[unknown, boolean]>([
    [true, true],
    ['true', true],
    ...off.map((value): [unknown, boolean] => [value, false]),
  ])('with %j turn a method on: %s', (value, isOn) => {
    for (const method of deliveryMethods) {
      expect(storedMethods({ [factsOf(method).field]: value }).has(method)).toBe(isOn)
    }
  })

  it.each(combinations.map((stored) => [[...stored], stored] as const))(
    '%j are read as something that a member can receive, and stored as they are read',
    (_name, stored) => {
      const read = methodsOf(fieldsOf(stored))
      expect(read).toEqual(stored.has('digest') ? set('digest') : stored)
      expect(methodsOf(fieldsOf(read))).toEqual(read)
      expect(storedMethods(fieldsOf(stored))).toEqual(stored)
    },
  )
})

describe('a change of methods', () => {
  it.each<[DeliveryMethod[], DeliveryMethod, DeliveryMethod[]]>([
    [['memo-email', 'memo-sms', 'pdf-email', 'pdf-sms'], 'digest', ['digest']],
    [['digest'], 'memo-email', ['memo-email']],
    [['digest'], 'memo-sms', ['memo-sms']],
    [['digest'], 'pdf-email', ['digest']],
    [['digest'], 'pdf-sms', ['digest']],
    [['memo-email'], 'memo-sms', ['memo-email', 'memo-sms']],
    [['pdf-email'], 'pdf-email', ['pdf-email']],
  ])('from %j by turning on %s leads to %j', (before, method, after) => {
    expect(withMethod(set(...before), method, true)).toEqual(set(...after))
  })

  it('leads from each state to a possible one, and changes nothing when it is repeated', () => {
    for (const stored of combinations) {
      for (const { method, isOn } of changes) {
        const before = methodsOf(fieldsOf(stored))
        const after = withMethod(before, method, isOn)
        expect(isPossible(after)).toBe(true)
        expect(withMethod(after, method, isOn)).toEqual(after)
        if (!isOn) expect(after).toEqual(new Set([...before].filter((other) => other !== method)))
        else if (!after.has(method)) expect(after).toEqual(before)
      }
    }
  })
})

describe('checked boxes', () => {
  it('of one method change what its switch does', () => {
    for (const stored of combinations) {
      const before = methodsOf(fieldsOf(stored))
      for (const { method, isOn } of changes) {
        const others = [...before].filter((other) => other !== method)
        const checked = set(...others, ...(isOn ? [method] : []))
        expect(withChoice(before, checked)).toEqual(withMethod(before, method, isOn))
      }
    }
  })

  it('lead to a possible state that has none but them, and say what is off', () => {
    for (const before of combinations.filter(isPossible)) {
      for (const checked of combinations) {
        const after = withChoice(before, checked)
        expect(isPossible(after)).toBe(true)
        expect([...after].filter((method) => !checked.has(method))).toEqual([])
        if (isPossible(checked)) expect(after).toEqual(checked)
        expect(exclusionNote(checked, after) === null).toBe(after.size === checked.size)
      }
    }
  })

  it.each<[DeliveryMethod[], DeliveryMethod[], string | null]>([
    [['digest', 'pdf-email'], ['digest'], 'With the digest, PDFs are off.'],
    [['digest', 'pdf-email', 'pdf-sms'], ['digest'], 'With the digest, PDFs are off.'],
    [['digest', 'memo-sms'], ['digest'], 'With the digest, memos are off.'],
    [['digest', 'memo-sms', 'pdf-sms'], ['digest'], 'With the digest, memos and PDFs are off.'],
    [['digest', 'memo-email', 'pdf-sms'], ['memo-email', 'pdf-sms'], 'With memos, the digest is off.'],
    [['memo-email', 'pdf-sms'], ['memo-email', 'pdf-sms'], null],
    [[], [], null],
  ])('%j that lead to %j say %j', (checked, methods, note) => {
    expect(exclusionNote(set(...checked), set(...methods))).toBe(note)
  })
})

describe('a keyword in a text', () => {
  it('ends texts and nothing else, and begins them again', () => {
    for (const before of combinations.filter(isPossible)) {
      const stopped = smsMethods.filter((method) => before.has(method))
      const after = withKeyword(before, 'stop', [])
      expect(after).toEqual(new Set([...before].filter((method) => !smsMethods.includes(method))))
      const again = withKeyword(after, 'start', stopped)
      expect(again).toEqual(
        stopped.length > 0 || before.has('digest') ? before : new Set([...before, 'memo-sms']),
      )
    }
  })

  it('adds nothing to texts that are on, and never ends the digest', () => {
    expect(withKeyword(set('pdf-sms'), 'start', ['memo-sms'])).toEqual(set('pdf-sms'))
    expect(withKeyword(set('digest'), 'start', ['memo-sms'])).toEqual(set('digest'))
    expect(withKeyword(none, 'stop', [])).toEqual(none)
    expect(withKeyword(all, 'stop', []).has('pdf-sms')).toBe(false)
  })
})
