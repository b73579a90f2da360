import type { Reply } from '@tidings/client'
import type { Translate } from '../../translations/translate.ts'
import type { App, Member, MembershipCalls } from '../membership-calls.ts'
import type { ModalParams, ModalResult } from '../open-modal.ts'
import { createDialogMessage } from './dialog-message.ts'
import type { DialogEvent, DialogState } from './dialog-state.ts'
import { isAccount } from './dialog-state.ts'
import { errorText } from './error-text.ts'
import { reduceDialog } from './reduce-dialog.ts'
import { sectionsOf } from './start-state.ts'

const noFields: Record<string, string> = {}

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
  const message = createDialogMessage(onChange)

  function dispatch(event: DialogEvent): void {
    const next = reduceDialog(state, event)
    if (next === state) return
    if (next.display !== state.display && event.type !== 'saved') message.hide()
    state = next
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
      else message.show(errorText(t, error), { isError: true })
    }
  }

  /** Logs in or signs up by a call, and reports it to the page. */
  function enter(type: 'LOGIN' | 'SIGNUP', call: Parameters<typeof run<unknown>>[0]): void {
    void run(call, ({ data, message: text }) => {
      dispatch({ type: 'entered' })
      message.show(text)
      onResult({ type, data })
    })
  }

  return {
    app,
    calls,
    params,
    t,
    state: () => state,
    member: () => member,
    message: message.current,
    /** The address that was entered, which the next screen starts with. */
    email: '',
    /** The entries of the sign-up, which it starts with again. */
    customFields: noFields,
    dispatch,
    run,
    enter,
    showMessage: message.show,
    hideMessage: message.hide,
    setMember,
    /** Reports a success to the page. The first one settles `openModal`. */
    report: (type: Exclude<ModalResult['type'], 'CLOSED'>, data: unknown) => onResult({ type, data }),
    destroy: message.destroy,
  }
}
