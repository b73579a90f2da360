/** @jsxImportSource preact */
import { Heading } from '../parts/heading.tsx'
import { useDialog } from '../state/dialog-context.ts'
import type { AccountState } from '../state/dialog-state.ts'
import { AccountMenu } from './account-menu.tsx'
import { ChangePassword } from './change-password.tsx'
import { Plans } from './plans.tsx'
import { Profile } from './profile.tsx'
import { Security } from './security.tsx'

/** The profile area: on wide screens a menu beside a section, on narrow ones the menu or a section. */
export function AccountArea({ state, isNarrow }: { state: AccountState; isNarrow: boolean }) {
  const { t, member, params } = useDialog()
  const isAlone = params.hideAccountDetails === true
  const { display } = state
  const isMenu = display === 'profile-nav'
  const isBusy = state.phase !== 'idle'
  return (
    <>
      {!isAlone && (!isNarrow || isMenu) && <AccountMenu state={state} />}
      {display !== 'profile-nav' && (
        <section class="section" key={display} inert={isBusy}>
          <Heading
            text={headingOf(state, t, member()?.auth.hasPassword ?? true)}
            hasBack={(isNarrow && !isAlone) || display === 'changePassword'}
          />
          <SectionContent display={display} />
        </section>
      )}
      {isBusy && (
        <div class="loading" role="status">
          <span class="spinner" role="img" aria-label={t('loading')} />
        </div>
      )}
    </>
  )
}

function headingOf(
  { display }: AccountState,
  t: ReturnType<typeof useDialog>['t'],
  hasPassword: boolean,
): string {
  switch (display) {
    case 'changePassword':
      return t(hasPassword ? 'change_password' : 'set_password')
    case 'security':
      return t('security')
    case 'plans':
      return t('plans')
    case 'profile':
    case 'profile-nav':
      return t('my_profile')
  }
}

function SectionContent({ display }: { display: Exclude<AccountState['display'], 'profile-nav'> }) {
  const member = useDialog().member()
  if (member === null) return null
  switch (display) {
    case 'profile':
      return <Profile member={member} />
    case 'security':
      return <Security member={member} />
    case 'changePassword':
      return <ChangePassword member={member} />
    case 'plans':
      return <Plans member={member} />
  }
}
