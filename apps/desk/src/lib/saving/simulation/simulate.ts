import { differing } from '../text-fields.ts'
import { createFakeClock } from './fake-clock.ts'
import { badSource, createFakeServer, type Fields } from './fake-text-server.ts'
import { type Random, randomOf } from './random.ts'
import { type Device, type Name, names, openTab, type WritingTab } from './writing-tab.ts'

type Options = { tabs: readonly string[]; steps?: number }

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '')
const wordsIn = (fields: Partial<Fields>) => names.flatMap((name) => wordsOf(fields[name] ?? ''))

/** Lets people write one text at random. Returns what went wrong; nothing in the best case. */
export async function simulate(seed: number, { tabs: people, steps = 60 }: Options): Promise<string[]> {
  const [random, clock] = [randomOf(seed), createFakeClock()]
  const network = { isBad: true }
  const faults: string[] = []
  const devices = new Map<string, Device>(people.map((person) => [person, new Map()]))
  const typed = new Set<string>()
  /** Words that a tab may take out of the text: its person took them back, or chose another text that it showed. */
  const dropped = new Map<string, Set<string>>(people.map((person) => [person, new Set()]))
  const server = createFakeServer((by, before, after) => {
    const person = by.slice(0, by.indexOf(' '))
    const kept = wordsIn(after)
    for (const word of wordsIn(before))
      if (!kept.includes(word) && dropped.get(person)?.has(word) !== true)
        faults.push(`${by} replaced “${word}”, which it didn’t choose to drop`)
  })
  let opened = 0
  const open = (person: string): WritingTab => {
    const device = devices.get(person) ?? new Map()
    const id = `${person} ${++opened}`
    const tab = openTab({ id, person, server, clock, random, network, device, announce })
    watchFocus(tab, faults)
    return tab
  }
  function announce(): void {
    for (const tab of tabs) void tab.read()
  }
  const tabs: WritingTab[] = []
  for (const person of people) tabs.push(open(person))
  const state = { random, tabs, devices, typed, dropped, open, network, clock, server, count: 0 }

  for (let step = 0; step < steps && faults.length === 0; step++) {
    act(state, random.below(tabs.length))
    await clock.pass(random.oneOf([0, 100, 1_000, 5_000]))
    faults.push(...lostWords(state), ...hiddenTexts(state))
  }
  if (faults.length === 0) faults.push(...(await finish(state)))
  return faults
}

type Site = {
  random: Random
  tabs: WritingTab[]
  devices: Map<string, Device>
  typed: Set<string>
  dropped: Map<string, Set<string>>
  open: (person: string) => WritingTab
  network: { isBad: boolean }
  clock: ReturnType<typeof createFakeClock>
  server: ReturnType<typeof createFakeServer>
  count: number
}

/** Lets a person do one thing. */
function act(site: Site, index: number): void {
  const { random, tabs, network, server } = site
  const tab = tabs[index]
  if (tab === undefined) return
  const deed = random.below(100)
  if (deed < 45) type(site, tab)
  else if (deed < 55) tab.focus(random.is(0.6) ? null : random.oneOf(names))
  else if (deed < 67) choose(site, tab)
  else if (deed < 72) putBack(site, tab)
  else if (deed < 76) {
    tab.crash()
    tabs[index] = site.open(tab.person)
  } else if (deed < 80) tab.signOut()
  else if (deed < 86) void tab.signIn()
  else if (deed < 89) network.isBad = !network.isBad
  else if (deed < 91) void tab.end('publish')
  else if (deed < 94) discard(site, tab)
  else if (deed < 95) server.forget()
  else if (deed < 97) takeBack(site, tab)
  else void tab.draft.flush()
}

/** Types a word at an end of a field, which has the focus from then on. */
function type(site: Site, tab: WritingTab): void {
  const { random, typed, dropped } = site
  const name: Name = random.oneOf(['title', 'text', 'text', 'source'])
  if (tab.focused() !== name) tab.focus(name)
  const isBad = name === 'source' && random.is(0.3)
  const word = `${tab.id.replace(' ', '')}-${site.count++}${isBad ? badSource : ''}`
  typed.add(word)
  const before = tab.draft.getState().text[name]
  const words = wordsOf(before).filter((each) => {
    if (!each.endsWith(badSource)) return true
    // It was refused, and another one comes in its place.
    drop({ dropped, typed }, tab.person, [each])
    return false
  })
  const after = random.is(0.7) ? [...words, word] : [word, ...words]
  tab.draft.type({ [name]: after.join(' ') })
}

/** Takes back the last word of a field. */
function takeBack(site: Site, tab: WritingTab): void {
  const name = tab.focused()
  if (name === null) return
  const words = wordsOf(tab.draft.getState().text[name])
  const last = words.pop()
  if (last === undefined) return
  drop(site, tab.person, [last])
  tab.draft.type({ [name]: words.join(' ') })
}

function drop({ dropped, typed }: Pick<Site, 'dropped' | 'typed'>, person: string, words: string[]): void {
  for (const word of words) {
    dropped.get(person)?.add(word)
    typed.delete(word)
  }
}

/** Goes back to the text that readers have. What the person sees goes, and stays among the versions. */
function discard({ dropped }: Site, tab: WritingTab): void {
  for (const word of wordsIn(tab.draft.getState().text)) dropped.get(tab.person)?.add(word)
  void tab.end('discard')
}

/** Chooses one of two texts, if there are two. */
function choose({ random, dropped }: Site, { draft, person }: WritingTab): void {
  const { conflict, text } = draft.getState()
  if (conflict === null) return
  for (const name of conflict.fields) {
    const field = names.find((each) => each === name) ?? 'text'
    for (const word of wordsOf(conflict.stored.text[field])) dropped.get(person)?.add(word)
  }
  const how = random.below(3)
  if (how === 0) void draft.keepMine()
  else if (how === 1) void draft.takeTheirs()
  else if (conflict.fields.includes('text')) {
    void draft.keepMine({ text: `${text.text} ${conflict.stored.text.text}` })
  }
}

/** Puts back what a closed tab of the person left on the device. */
function putBack({ devices, tabs }: Site, { draft, person, putBack: putBackNow }: WritingTab): void {
  const device = devices.get(person)
  for (const [id, kept] of device ?? []) {
    if (tabs.some((tab) => tab.id === id) || !draft.isSaved()) continue
    putBackNow(kept)
    device?.delete(id)
  }
}

/** Lets everything typed reach the server. */
async function finish(site: Site): Promise<string[]> {
  const { tabs, network, clock, server, devices } = site
  network.isBad = false
  for (const tab of tabs) tab.focus(null)
  for (let turns = 0; turns < 40; turns++) {
    await clock.pass(31_000)
    for (const tab of tabs) {
      // A refusal from before the last sign-in may have come late.
      void tab.signIn()
      fixSource(site, tab)
      putBack(site, tab)
      choose(site, tab)
    }
  }
  await clock.pass(120_000)
  const open = tabs.filter(({ draft }) => !draft.isSaved() || draft.getState().conflict !== null)
  const { text } = server.read()
  const different = tabs.filter(({ draft }) => differing(draft.getState().text, text).length > 0)
  const left = [...devices.values()].flatMap((device) => [...device.keys()])
  return [
    ...lostWords(site),
    ...open.map(({ id }) => `${id} isn’t saved in the end`),
    ...different.map(({ id, draft }) => `${id} shows ${JSON.stringify([draft.getState().text, text])}`),
    ...left.map((id) => `The device still keeps words of ${id}`),
  ]
}

function fixSource(site: Site, { draft, person }: WritingTab): void {
  const words = wordsOf(draft.getState().text.source)
  const bad = words.filter((word) => word.endsWith(badSource))
  if (bad.length === 0) return
  drop(site, person, bad)
  draft.type({ source: words.filter((word) => !bad.includes(word)).join(' ') })
}

function lostWords({ typed, tabs, server, devices }: Site): string[] {
  const places = [
    ...server.known(),
    ...tabs.map(({ draft }) => draft.getState().text),
    ...[...devices.values()].flatMap((device) => [...device.values()].map(({ fields }) => fields)),
  ]
  const words = new Set(places.flatMap(wordsIn))
  return [...typed].filter((word) => !words.has(word)).map((word) => `“${word}” is lost`)
}

/** Returns tabs that show another text as saved than the newest one, which they have read. */
function hiddenTexts({ tabs, server }: Site): string[] {
  const { text, version } = server.read()
  return tabs
    .filter(({ draft }) => draft.isSaved() && draft.isShown())
    .map(({ id, draft }) => ({ id, ...draft.getState() }))
    .filter(({ conflict, stored }) => conflict === null && stored.version === version)
    .filter((state) => differing(state.text, text).length > 0)
    .map((state) => `${state.id} shows ${JSON.stringify([state.text, text])} as saved`)
}

/** Watches that nothing replaces the text of a focused field but its person. */
function watchFocus({ id, draft, focused, isChoosing }: WritingTab, faults: string[]): void {
  let last = draft.getState()
  draft.subscribe(() => {
    const next = draft.getState()
    const name = focused()
    const isChoice = last.conflict !== null || isChoosing()
    if (
      name !== null &&
      !isChoice &&
      next.resets[name] !== last.resets[name] &&
      next.text[name] !== last.text[name]
    )
      faults.push(`${id}: ${name} changed under the hand`)
    last = next
  })
}
