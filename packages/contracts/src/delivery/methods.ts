/**
 * The delivery methods, and the one rule of which exclude which. Dashboard, preferences page, texts' keywords, the query of
 * recipients and the desk read it. Free of zod, for the browser.
 */

type MethodFacts = {
  /** The label of switches and boxes. */
  label: string
  /** The content, as a part of a sentence. */
  sends: 'memos' | 'PDFs' | 'the digest'
  /** The name in the middle of a sentence. */
  name: string
  /** The name in a list of what was sent: 'email, PDF'. */
  listed: string
  /** How it arrives, at the end of a sentence. */
  arrives: string
  /** The custom field that turns it on. */
  field: string
  address: 'email' | 'number'
  /** The methods that are off while this one is on. */
  replaces: readonly string[]
  /** The methods that replace this one, and that end when it is turned on. Any other keeps it off. */
  ends: readonly string[]
}

const table = {
  'memo-email': {
    label: 'Memo by e-mail',
    sends: 'memos',
    name: 'memos by email',
    listed: 'email',
    arrives: 'by email',
    field: 'getmemomethodbyemail',
    address: 'email',
    replaces: [],
    ends: ['digest'],
  },
  'memo-sms': {
    label: 'Memo by SMS',
    sends: 'memos',
    name: 'memos by text',
    listed: 'text',
    arrives: 'by text',
    field: 'getmemomethodbysms',
    address: 'number',
    replaces: [],
    ends: ['digest'],
  },
  'pdf-email': {
    label: 'PDF by e-mail',
    sends: 'PDFs',
    name: 'PDFs by email',
    listed: 'PDF',
    arrives: 'as a PDF by email',
    field: 'getPDFMethodByEmail',
    address: 'email',
    replaces: [],
    ends: [],
  },
  'pdf-sms': {
    label: 'PDF by SMS',
    sends: 'PDFs',
    name: 'PDFs by text',
    listed: 'PDF by text',
    arrives: 'as a PDF by text',
    field: 'getPDFMethodBySMS',
    address: 'number',
    replaces: [],
    ends: [],
  },
  digest: {
    label: 'Evening digest',
    sends: 'the digest',
    name: 'the evening digest',
    listed: 'email',
    arrives: 'by email',
    field: 'combinestatus',
    address: 'email',
    replaces: ['memo-email', 'memo-sms', 'pdf-email', 'pdf-sms'],
    ends: [],
  },
} as const satisfies Readonly<Record<string, MethodFacts>>

/** How an edition reaches a member, by its name on the wire. */
export type DeliveryMethod = keyof typeof table

/** The method without a custom field or an address: a member's browsers turn it on. It goes with every other one. */
export const pushMethod = 'web-push'

/** A method of the ledger: one that members choose, or notifications. */
export type AnyMethod = DeliveryMethod | typeof pushMethod

/** The method that is suggested to a new member. */
export const suggestedMethod: DeliveryMethod = 'memo-email'

/** The methods that a member receives: none of them replaces another. */
export type ChosenMethods = ReadonlySet<DeliveryMethod>

const facts: Readonly<Record<DeliveryMethod, MethodFacts>> = table

/** All methods, in the order of switches and boxes. */
export const deliveryMethods: readonly DeliveryMethod[] = Object.keys(table).filter(isDeliveryMethod)

export function isDeliveryMethod(name: string): name is DeliveryMethod {
  return Object.hasOwn(table, name)
}

export function factsOf(method: DeliveryMethod): MethodFacts {
  return facts[method]
}

/** Returns the methods that turn a method off while they are on. */
export function replacementsOf(method: DeliveryMethod): readonly DeliveryMethod[] {
  return deliveryMethods.filter((other) => facts[other].replaces.includes(method))
}

type StoredFields = Readonly<Record<string, unknown>>

/** Returns the methods whose custom fields are on, also those that another one replaces. */
export function storedMethods(fields: StoredFields): ReadonlySet<DeliveryMethod> {
  // Clients may store booleans as text.
  const isOn = (value: unknown) => value === true || value === 'true'
  return new Set(deliveryMethods.filter((method) => isOn(fields[facts[method].field])))
}

/** Returns what a member receives, by the stored custom fields: a method that replaces others wins. */
export function methodsOf(fields: StoredFields): ChosenMethods {
  const stored = storedMethods(fields)
  const isReplaced = (method: DeliveryMethod) => replacementsOf(method).some((other) => stored.has(other))
  return new Set([...stored].filter((method) => !isReplaced(method)))
}

/** Returns the custom fields that store these methods. */
export function fieldsOf(methods: ChosenMethods): Record<string, boolean> {
  return Object.fromEntries(deliveryMethods.map((method) => [facts[method].field, methods.has(method)]))
}

/** Turns a method on or off. A method stays off if one that is on replaces it and doesn't end. */
export function withMethod(methods: ChosenMethods, method: DeliveryMethod, isOn: boolean): ChosenMethods {
  const others = [...methods].filter((other) => other !== method)
  if (!isOn) return new Set(others)
  const { replaces, ends } = facts[method]
  const kept = others.filter((other) => !(replaces.includes(other) || ends.includes(other)))
  const isReplaced = replacementsOf(method).some((other) => kept.includes(other))
  return isReplaced ? methods : inOrder([...kept, method])
}

/** Makes every change that leads from what a member receives to the boxes that are checked, in their order. */
export function withChoice(methods: ChosenMethods, checked: ReadonlySet<DeliveryMethod>): ChosenMethods {
  const off = deliveryMethods.filter((method) => methods.has(method) && !checked.has(method))
  const on = deliveryMethods.filter((method) => checked.has(method) && !methods.has(method))
  const left = off.reduce((state, method) => withMethod(state, method, false), methods)
  return on.reduce((state, method) => withMethod(state, method, true), left)
}

/** The methods whose deliveries are texts. */
export const smsMethods: readonly DeliveryMethod[] = deliveryMethods.filter(
  (method) => facts[method].address === 'number',
)

/** The words of a text that change what a member receives. `START` turns on what `STOP` turned off, or else memos. */
export function withKeyword(
  methods: ChosenMethods,
  keyword: 'stop' | 'start',
  stopped: readonly DeliveryMethod[],
): ChosenMethods {
  if (keyword === 'stop') {
    return smsMethods.reduce((state, method) => withMethod(state, method, false), methods)
  }
  const covers = smsMethods.flatMap((method) => [method, ...replacementsOf(method)])
  if (covers.some((method) => methods.has(method))) return methods
  const started = stopped.length > 0 ? stopped : smsMethods.slice(0, 1)
  return started.reduce((state, method) => withMethod(state, method, true), methods)
}

/** Says which of the checked methods are off and why: 'With the digest, PDFs are off.' Null if all are on. */
export function exclusionNote(checked: ReadonlySet<DeliveryMethod>, methods: ChosenMethods): string | null {
  const dropped = deliveryMethods.filter((method) => checked.has(method) && !methods.has(method))
  const causes = deliveryMethods.filter(
    (method) => methods.has(method) && dropped.some((other) => excludes(method, other)),
  )
  if (causes.length === 0) return null
  const off = whatOf(dropped)
  const verb = off === 'the digest' ? 'is' : 'are'
  return `With ${whatOf(causes)}, ${off} ${verb} off.`
}

function excludes(method: DeliveryMethod, other: DeliveryMethod): boolean {
  return facts[method].replaces.includes(other) || facts[method].ends.includes(other)
}

function whatOf(methods: readonly DeliveryMethod[]): string {
  return [...new Set(methods.map((method) => facts[method].sends))].join(' and ')
}

function inOrder(methods: readonly DeliveryMethod[]): ChosenMethods {
  return new Set(deliveryMethods.filter((method) => methods.includes(method)))
}
