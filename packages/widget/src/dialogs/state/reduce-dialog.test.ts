import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DialogEvent,
  type DialogState,
  isAccount,
  type Method,
  type Section,
  sections,
} from './dialog-state.ts'
import { enter, reduceDialog } from './reduce-dialog.ts'
import { sampleEvents } from './sample-events.ts'

const methods: Method[][] = [['password'], ['password', 'passwordless'], ['passwordless', 'password']]
const someSections: Section[][] = [['security'], ['profile', 'security'], ['profile', 'security', 'plans']]

const starts = fc.oneof(
  fc
    .constantFrom(...methods)
    .chain((known) =>
      fc.constantFrom<DialogState>(
        enter('login', known),
        enter('signup', known),
        { display: 'forgot_password', phase: 'idle', methods: known },
        { display: 'reset_password', phase: 'idle', email: null, methods: known },
      ),
    ),
  fc
    .constantFrom(...someSections)
    .map(
      (open): DialogState => ({ display: 'profile-nav', phase: 'idle', sections: open, home: 'security' }),
    ),
)
const events = fc.array(fc.constantFrom<DialogEvent>(...sampleEvents), { maxLength: 60 })

/** Returns what is wrong with a state, undefined for a legal one. */
function problemOf(state: DialogState, before: DialogState): string | undefined {
  if (isAccount(state)) {
    if (!isAccount(before)) return 'a visitor reached the profile area'
    const isSection = sections.some((section) => section === state.display)
    if (isSection && !state.sections.some((section) => section === state.display)) return 'a hidden section'
    return undefined
  }
  if (state.display === 'closed') return undefined
  if (isAccount(before) || before.display === 'closed') return 'the profile area led to a visitor'
  if ('method' in state && !state.methods.includes(state.method)) return 'a method that is not offered'
  if (state.display === 'passwordless_token' && state.email === '') return 'a code without its address'
  if (state.display === 'reset_password_success' && before.display !== 'reset_password') {
    return before.display === state.display ? undefined : 'a success without a reset'
  }
  if (state.display !== before.display && 'phase' in state && state.phase !== 'idle')
    return 'a busy new screen'
  return undefined
}

describe('reduceDialog', () => {
  it('reaches no illegal state with any sequence of events', () => {
    fc.assert(
      fc.property(starts, events, (start, sequence) => {
        let state = start
        for (const event of sequence) {
          const next = reduceDialog(state, event)
          expect(problemOf(next, state)).toBeUndefined()
          state = next
        }
      }),
      { seed: 14, numRuns: 500 },
    )
  })

  it('stays closed, and closes from every state', () => {
    fc.assert(
      fc.property(starts, events, (start, sequence) => {
        const state = sequence.reduce(reduceDialog, start)
        const closed = reduceDialog(state, { type: 'closed' })
        expect(closed).toEqual({ display: 'closed' })
        expect(sequence.reduce(reduceDialog, closed)).toEqual(closed)
      }),
      { seed: 14 },
    )
  })

  it('ignores a second submission until the first one has ended', () => {
    const pending = reduceDialog(enter('login', ['password']), { type: 'submitted' })
    expect(reduceDialog(pending, { type: 'submitted' })).toBe(pending)
    expect(reduceDialog(pending, { type: 'signupChosen' })).toBe(pending)
    expect(reduceDialog(pending, { type: 'failed' })).toEqual(enter('login', ['password']))
  })

  it('closes the profile when the session ends elsewhere, but not during a logout', () => {
    const profile: DialogState = { display: 'profile', phase: 'idle', sections: ['profile'], home: 'profile' }
    expect(reduceDialog(profile, { type: 'sessionEnded' })).toEqual({ display: 'closed' })
    const leaving = reduceDialog(profile, { type: 'logoutChosen' })
    expect(reduceDialog(leaving, { type: 'sessionEnded' })).toBe(leaving)
  })
})
