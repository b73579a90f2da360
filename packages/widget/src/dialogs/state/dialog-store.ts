import type { Reply } from '@tidings/client'
import { CaptchaError } from '../../captcha/captcha.ts'
import type { Translate } from '../../translations/translate.ts'
import type { App, Member, MembershipCalls } from '../membership-calls.ts'
import type { ModalParams, ModalResult } from '../open-modal.ts'
import type { DialogEvent, DialogState } from './dialog-state.ts'
import { isAccount } from './dialog-state.ts'
import { reduceDialog } from './reduce-dialog.ts'
import { sectionsOf } from './start-state.ts'

const messageMs = 7000
const noFields: Record<string, string> = {}

type Message = { text: string; isError: boolean; id: number }

/** The state and actions that a dialog's screens use. */
export type DialogStore = ReturnType<typeof createDialogStore>

type Options = {
  app: App
  calls: MembershipCalls
  params: ModalParams
  t: Translate
  initial: DialogState
  member: Member | null
  onResult: (result: ModalResult) => void
  /** Called after each change. */
  onChange: () => void
}

/** Creates the store of one dialog: its state, the member, and the message that is shown. */
export function createDialogStore({ app, calls, params, t, initial, onResult, onChange, ...start }: Options) {
  let state = initial
  let { member } = start
  let message: Message | null = null
  let messageCount = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function dispatch(event: DialogEvent): void {
    const next = reduceDialog(state, event)
    if (next === state) return
    if (next.display !== state.display && event.type !== 'saved') hideMessage()
    state = next
    onChange()
  }

  function hideMessage(): void {
    clearTimeout(timer)
    message = null
    onChange()
  }

  function showMessage(text: string | undefined, { isError = false } = {}): void {
    if (!text) return
    clearTimeout(timer)
    messageCount += 1
    message = { text, isError, id: messageCount }
    timer = setTimeout(hideMessage, messageMs)
    onChange()
  }

  function setMember(next: Member | null): void {
    if (!isAccount(state)) return
    if (next === null) {
      dispatch({ type: 'sessionEnded' })
      return
    }
    member = next
    dispatch({ type: 'memberChanged', sections: sectionsOf(next, params) })
    onChange()
  }

  /**
   * Makes a call with the buttons disabled. A second call before the first one's end does nothing. The error's message is
   * shown for people.
   */
  async function run<Data>(
    call: () => Promise<Reply<Data>> | undefined,
    succeed: (reply: Reply<Data>) => void,
    { start = { type: 'submitted' }, fail }: { start?: DialogEvent; fail?: (error: unknown) => void } = {},
  ): Promise<void> {
    const before = state
    dispatch(start)
    if (state === before) return
    try {
      const reply = await call()
      if (reply === undefined) dispatch({ type: 'failed' })
      else succeed(reply)
    } catch (error) {
      dispatch({ type: 'failed' })
      if (fail) fail(error)
      else showMessage(errorText(error), { isError: true })
    }
  }

  /** Logs in or signs up by a call, and reports it to the page. */
  function enter(type: 'LOGIN' | 'SIGNUP', call: Parameters<typeof run<unknown>>[0]): void {
    void run(call, ({ data, message: text }) => {
      dispatch({ type: 'entered' })
      showMessage(text)
      onResult({ type, data })
    })
  }

  /** Returns the text of an error for people. The client's own errors have texts in each language. */
  function errorText(error: unknown): string {
    if (error instanceof CaptchaError) return t(error.textKey)
    const code = codeOf(error)
    return code === undefined ? (textOf(error) ?? t('unknown_error')) : t(code)
  }

  return {
    app,
    calls,
    params,
    t,
    state: () => state,
    member: () => member,
    message: () => message,
    /** The address that was entered, which the next screen starts with. */
    email: '',
    /** The entries of the sign-up, which it starts with again. */
    customFields: noFields,
    dispatch,
    run,
    enter,
    showMessage,
    hideMessage,
    setMember,
    /** Reports a success to the page. The first one settles `openModal`. */
    report: (type: Exclude<ModalResult['type'], 'CLOSED'>, data: unknown) => onResult({ type, data }),
    destroy: () => clearTimeout(timer),
  }
}

/** Returns the text of an error for people, undefined if it has none. */
export function textOf(error: unknown): string | undefined {
  return error instanceof Object &&
    'message' in error &&
    typeof error.message === 'string' &&
    error.message !== ''
    ? error.message
    : undefined
}

const clientErrors = {
  'network-error': 'network_error',
  'request-timeout': 'request_timeout',
  'unreadable-reply': 'unreadable_reply',
  'popup-blocked': 'popup_blocked',
  'popup-closed': 'popup_closed',
  'popup-timeout': 'popup_timeout',
} as const

function codeOf(error: unknown): (typeof clientErrors)[keyof typeof clientErrors] | undefined {
  if (!(error instanceof Object) || !('code' in error)) return undefined
  const entry = Object.entries(clientErrors).find(([code]) => code === error.code)
  return entry?.[1]
}
