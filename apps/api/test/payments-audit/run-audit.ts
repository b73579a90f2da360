import { seededRandom } from '@tidings/emulators/stripe/server/webhook-chaos'
import { secondsOf } from '#integrations/payments/stripe/client/client.ts'
import { type AuditedSite, startAuditedSite } from './audited-site.ts'
import { addFault, passDays, passHours } from './chaos.ts'
import { collectFacts, readCustomers } from './collect-facts.ts'
import type { Announcement, Facts } from './facts.ts'
import { type Action, memberActions } from './member-actions.ts'
import { merchantActions } from './merchant-actions.ts'
import { openTabs, type Person, signUp, type Tab } from './people.ts'
import { pick, pickWeighted } from './random-choice.ts'
import { audit, type Violation } from './rules.ts'

export type AuditOptions = {
  seed: number
  /** How many members there are at a time: a new one follows a deleted account. */
  seats: number
  /** Returns whether to stop before a round. */
  isOver: (round: number) => boolean
  say: (line: string) => void
}

export type FoundViolation = Violation & { seed: number; member: string; round: number; history: string[] }

export type AuditResult = {
  violations: FoundViolation[]
  actions: number
  /** How often each kind of action succeeded or was refused, by its name and outcome. */
  counts: Map<string, number>
  rounds: number
  days: number
  /** How many facts the auditor compared, so that it is known not to be blind. */
  compared: { charges: number; mails: number; plans: number; announcements: number }
}

/** Deleted accounts are watched this long: reconciliation looks at ended subscriptions for a month. */
const watchedSeconds = 45 * 86_400
const rareEvents = { fault: 0.25, kill: 0.02, merchant: 0.25 }
const batches = 6
/** The actions to try while a renewal's invoice is a draft. */
const duringDraft = ['deletes the account', 'is disputed', 'changes the plan', 'cancels'].map(actionOf)

/**
 * Lets random members, their merchant, their banks and failing machines act, and audits every member after each round.
 * The same seed tries the same actions in the same order; of two at once, either may be first.
 */
export async function runAudit({ seed, seats, isOver, say }: AuditOptions): Promise<AuditResult> {
  const at = await startAuditedSite({ seed })
  try {
    return await run(at, { seed, seats, isOver, say })
  } finally {
    await at.close()
  }
}

async function run(at: AuditedSite, { seed, seats, isOver, say }: AuditOptions): Promise<AuditResult> {
  const began = at.clock.now().getTime()
  const people: Person[] = []
  const found = new Map<string, FoundViolation>()
  const counts = new Map<string, number>()
  const compared = { charges: 0, mails: 0, plans: 0, announcements: 0 }
  let round = 1
  let step = 0
  const nextRandom = () => {
    step += 1
    return seededRandom(seed * 1_000_003 + step)
  }
  const seated = async (seat: number): Promise<Person> => {
    const last = people.findLast(({ name }) => name.startsWith(`m${seat}-`))
    if (last !== undefined && last.deletedAt === null) return last
    const count = people.filter(({ name }) => name.startsWith(`m${seat}-`)).length
    const person = await signUp(at, `m${seat}-${count}`)
    people.push(person)
    // Most come to subscribe.
    const own = seededRandom(seed * 1_000_003 - people.length)
    const tries = own() < 0.8 ? [{ action: actionOf('subscribes'), tab: 0, random: own }] : []
    await act(at, person, { tries, round, counts })
    return person
  }
  let renewing: Person | null = null
  for (; !isOver(round); round += 1) {
    const random = nextRandom()
    if (renewing !== null) {
      const tries = [{ action: pick(duringDraft, random), tab: 0, random: nextRandom() }]
      await act(at, renewing, { tries, round, counts })
    }
    for (let batch = 0; batch < batches; batch += 1) {
      const plans = planBatch(seats, nextRandom)
      const kills = random() < rareEvents.kill
      if (random() < rareEvents.fault) await addFault(at, random)
      const acting: Promise<void>[] = []
      for (const { seat, tries } of plans) {
        const person = await seated(seat)
        acting.push(act(at, person, { tries, round, counts }))
      }
      await Promise.all(acting)
      if (kills) await at.replaceWorker()
      await passHours(at, random)
    }
    const auditRun = { people, found, compared, seed, round, say }
    await auditAll(at, auditRun)
    // No member acts meanwhile, so each renewal must cost what the site shows now.
    renewing = await passDays(at, random, people)
    await auditAll(at, auditRun)
    for (const person of people) person.announcements = []
  }
  const days = Math.round((at.clock.now().getTime() - began) / 86_400_000)
  return { violations: [...found.values()], actions: step, counts, rounds: round - 1, days, compared }
}

function actionOf(name: string): Action {
  const action = [...memberActions, ...merchantActions].find((one) => one.name === name)
  if (action === undefined) throw new Error(`There is no action "${name}"`)
  return action
}

type Try = { action: Action; tab: number; random: () => number }

/** Plans what one to four members do at once, some of them in two tabs. */
function planBatch(seats: number, nextRandom: () => () => number): { seat: number; tries: Try[] }[] {
  const random = nextRandom()
  const chosen = new Set(
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * seats)),
  )
  return [...chosen].map((seat) => {
    const tabs = random() < 0.4 ? [0, 1] : [Math.floor(random() * 2)]
    const tries = tabs.map((tab) => {
      const own = nextRandom()
      const action = pickWeighted(own() < rareEvents.merchant ? merchantActions : memberActions, own)
      return { action, tab, random: own }
    })
    return { seat, tries }
  })
}

async function act(
  at: AuditedSite,
  person: Person,
  { tries, round, counts }: { tries: Try[]; round: number; counts: Map<string, number> },
): Promise<void> {
  const time = at.clock.now().toISOString()
  const note = (text: string) => person.history.push(`${round} · ${time} · ${text}`)
  const tabs = await openTabs(at, person).catch((error: unknown): Tab[] => {
    note(`couldn't log in: ${error}`)
    return []
  })
  if (tabs.length === 0) return
  await Promise.all(
    tries.map(async ({ action, tab: index, random }) => {
      const tab = tabs[index] ?? pick(tabs, random)
      const outcome = await action.run({ at, tab, random }).catch((error: unknown) => `failed: ${error}`)
      note(`${tab.name} ${action.name}: ${outcome}`)
      const key = `${action.name}: ${outcome.split(':')[0]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }),
  )
  // A fault may meet this call; the audit reads them again.
  await readCustomers(at, [person]).catch(() => undefined)
}

type AuditRun = {
  people: readonly Person[]
  found: Map<string, FoundViolation>
  compared: AuditResult['compared']
  seed: number
  round: number
  say: (line: string) => void
}

async function auditAll(
  at: AuditedSite,
  { people, found, compared, seed, round, say }: AuditRun,
): Promise<void> {
  await at.reconcile()
  const since = secondsOf(at.clock.now()) - watchedSeconds
  const watched = people.filter(({ deletedAt }) => deletedAt === null || deletedAt > since)
  await readCustomers(at, watched)
  for (const person of watched) {
    const facts = await collectFacts(at, person)
    person.announcements = announcementsIn(facts)
    compared.charges += facts.charges.length
    compared.mails += facts.mails.length
    compared.plans += facts.shown.flatMap(({ plans }) => plans).length
    compared.announcements += facts.announcements.length
    for (const violation of audit(facts)) {
      const key = `${person.name} ${violation.rule} ${violation.subject}`
      if (found.has(key)) continue
      const { name: member, history } = person
      found.set(key, { ...violation, seed, member, round, history: [...history] })
      say(`violation: seed ${seed}, ${member}, round ${round}: ${violation.rule}: ${violation.text}`)
      for (const line of history) say(`  ${line}`)
    }
  }
}

/** Returns what the site says that the next payments of its plans charge. */
function announcementsIn({ shown }: Facts): Announcement[] {
  return shown.flatMap(({ plans }) =>
    plans.flatMap(({ nextBillingDate: from, renewalAmount: amount }) =>
      from === null || amount === null ? [] : [{ from, amount }],
    ),
  )
}
