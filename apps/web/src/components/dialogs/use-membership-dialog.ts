import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rememberEmail } from '#lib/member/login-email.ts'
import type { MemberSession } from '#lib/member-session/member-session.ts'
import type { SiteClient } from '#lib/member-session/site-client.ts'
import { useServices } from '#lib/services/services.tsx'
import { mainId } from '../screen.tsx'

type DialogType = 'LOGIN' | 'SIGNUP' | 'PROFILE'
type DialogParams = Parameters<SiteClient['openModal']>[1]

/**
 * Returns the function that opens a dialog of the membership. It calls `onOpen` when the dialog's code has arrived, and
 * resolves once the dialog is closed: by the reader, after a login or sign-up, or because the screen changes. It rejects
 * when the dialog can't be loaded.
 */
export function useMembershipDialog() {
  const { memberSession, deviceStore } = useServices()
  const router = useRouter()

  return async function open(type: DialogType, onOpen?: () => void, params?: DialogParams): Promise<void> {
    const client = await memberSession.getClient()
    await client.prepare()
    onOpen?.()
    const stop = router.subscribe('onBeforeLoad', ({ pathChanged }) => {
      if (pathChanged) client.hideModal()
    })
    const result = await client.openModal(type, params).finally(stop)
    // The dialog goes on with its success screen, from where the visitor may log in.
    if (result.type === 'PASSWORD_RESET') await nextLogin(memberSession)
    if (result.type !== 'CLOSED') client.hideModal()
    const { data: member } = await client.getCurrentMember({ useCache: true })
    if (member !== null) rememberEmail(deviceStore, member.auth.email)
    // The element that opened the dialog may be gone, as a wall is after the login.
    if (document.activeElement === document.body)
      document.getElementById(mainId)?.focus({ preventScroll: true })
  }
}

function nextLogin(session: MemberSession): Promise<void> {
  return new Promise((resolve) => {
    const stop = session.subscribe(() => {
      if (!session.isLoggedIn()) return
      stop()
      resolve()
    })
  })
}

/** Loads the dialogs' code before one is opened. What fails here is loaded again for the dialog. */
export function usePreparedDialogs(): void {
  const { memberSession } = useServices()
  useEffect(() => {
    void memberSession
      .getClient()
      .then((client) => client.prepare())
      .catch(() => undefined)
  }, [memberSession])
}
