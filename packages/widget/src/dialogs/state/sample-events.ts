import type { DialogEvent } from './dialog-state.ts'

/** One event of each type and argument, for the diagram and the tests. */
export const sampleEvents: readonly DialogEvent[] = [
  { type: 'signupChosen' },
  { type: 'loginChosen' },
  { type: 'forgotPasswordChosen' },
  { type: 'codeEntryChosen' },
  { type: 'backChosen' },
  { type: 'methodToggled' },
  { type: 'sectionChosen', section: 'profile' },
  { type: 'sectionChosen', section: 'security' },
  { type: 'sectionChosen', section: 'plans' },
  { type: 'sectionChosen', section: 'changePassword' },
  { type: 'submitted' },
  { type: 'logoutChosen' },
  { type: 'failed' },
  { type: 'codeSent', email: 'ada@example.com', details: { customFields: {} } },
  { type: 'resetEmailSent', email: 'ada@example.com' },
  { type: 'passwordReset' },
  { type: 'entered' },
  { type: 'saved' },
  { type: 'memberChanged', sections: ['security'] },
  { type: 'sessionEnded' },
  { type: 'widened' },
  { type: 'closed' },
]
