/** @jsxImportSource react */
import type { MembershipClient } from '@tidings/client'
import type { Modals } from '@tidings/widget'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

type Membership = MembershipClient & Pick<Modals, 'openModal' | 'hideModal'>

// The script tag has put it on the page.
const membership: Membership = Reflect.get(window, '$membership')

/** Returns the email address of the member, null for a visitor. */
function useMemberEmail(): string | null {
  const [email, setEmail] = useState<string | null>(null)
  useEffect(() => {
    const { unsubscribe } = membership.onAuthChange((member) => setEmail(member?.auth.email ?? null))
    void membership.onReady.then((member) => setEmail(member?.auth.email ?? null))
    return () => void unsubscribe()
  }, [])
  return email
}

/** Opens a dialog and closes it after its result, as a page without `data-membership` does. */
async function open(type: 'LOGIN' | 'PROFILE'): Promise<void> {
  await membership.openModal(type)
  membership.hideModal()
}

function Page() {
  const email = useMemberEmail()
  return (
    <main>
      <h1>A page with React</h1>
      <p>{email === null ? 'You are not logged in.' : `You are logged in as ${email}.`}</p>
      <button type="button" onClick={() => void open(email === null ? 'LOGIN' : 'PROFILE')}>
        {email === null ? 'Log in' : 'Profile'}
      </button>
    </main>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Page />)
