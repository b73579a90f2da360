import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { messages } from '@tidings/contracts/membership/messages'
import { type MouseEvent, useState } from 'react'
import { reportUnexpected } from '#lib/api/report-unexpected.ts'
import { useMembershipDialog, usePreparedDialogs } from './use-membership-dialog.ts'

type DialogLinkProps = {
  type: 'LOGIN' | 'SIGNUP'
  text: string
  className?: string
}

const screens = { LOGIN: '/account/login', SIGNUP: '/account/signup' } as const

/**
 * Opens the login or the sign-up in a dialog, so that the reader stays on the screen. It is a link to the screen of the
 * same name, which opens in a new tab, or when the dialog can't be loaded.
 */
export function DialogLink({ type, text, className }: DialogLinkProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const open = useMembershipDialog()
  usePreparedDialogs()
  const [isLoading, setLoading] = useState(false)
  const target = { to: screens[type], state: { from: pathname } }

  async function openDialog(): Promise<void> {
    setLoading(true)
    try {
      await open(type, () => setLoading(false))
    } catch (error) {
      reportUnexpected(error)
      await navigate(target)
    }
  }

  function onClick(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (!isLoading) void openDialog()
  }

  return (
    <Link {...target} className={className} aria-disabled={isLoading} onClick={onClick}>
      {isLoading ? messages.pleaseWait : text}
    </Link>
  )
}
