import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { useMembershipDialog } from '#components/dialogs/use-membership-dialog.ts'
import { useToasts } from '#components/toaster.tsx'
import { errorText } from '#lib/api/error-text.ts'
import { detailsOf } from '../details/account-details.ts'

/** Opens the dialog with what the dashboard lacks: the member's image and connected accounts. */
export function ProfileButton({ member }: { member: Member }) {
  const open = useMembershipDialog()
  const toasts = useToasts()
  const [isLoading, setLoading] = useState(false)
  const { name, email } = detailsOf(member)

  async function openProfile(): Promise<void> {
    if (isLoading) return
    setLoading(true)
    try {
      await open('PROFILE', () => setLoading(false), { hideAccountDetails: true })
    } catch (error) {
      setLoading(false)
      toasts.show('error', errorText(error))
    }
  }

  return (
    <button
      type="button"
      className="profile-button"
      aria-disabled={isLoading}
      onClick={() => void openProfile()}
    >
      {member.profileImage ? (
        <img src={member.profileImage} alt="" width="48" height="48" />
      ) : (
        <span className="profile-initial" aria-hidden="true">
          {(name || email).slice(0, 1).toUpperCase()}
        </span>
      )}
      <span className="link">{isLoading ? messages.pleaseWait : 'Profile'}</span>
    </button>
  )
}
