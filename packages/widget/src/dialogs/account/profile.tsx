/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { Member } from '../membership-calls.ts'
import { imageError } from '../parts/checks.ts'
import { CustomField } from '../parts/custom-field.tsx'
import { Form } from '../parts/form.tsx'
import { useDialog } from '../state/dialog-context.ts'
import { visibleFields } from '../state/start-state.ts'
import { ConnectedAccounts } from './security.tsx'

export function Profile({ member }: { member: Member }) {
  const { t, app, params, calls, run, dispatch, showMessage, setMember } = useDialog()
  const [changes, setChanges] = useState<Record<string, string>>({})
  const fields = visibleFields(app)
  const saved = (key: string) => String(member.customFields[key] ?? '')
  const isChanged = Object.entries(changes).some(([key, value]) => value !== saved(key))

  function save(): void {
    const customFields = { ...member.customFields, ...changes }
    void run(
      () => calls.updateMember?.({ customFields }),
      ({ data, message }) => {
        setChanges({})
        setMember(data)
        dispatch({ type: 'saved' })
        showMessage(message)
      },
    )
  }

  function upload(profileImage: File | undefined): void {
    if (profileImage === undefined) return
    const problem = imageError(t, profileImage)
    if (problem !== undefined) {
      showMessage(problem, { isError: true })
      return
    }
    void run(
      () => calls.updateMemberProfileImage?.({ profileImage }),
      ({ data, message }) => {
        setMember({ ...member, profileImage: data.profileImage })
        dispatch({ type: 'saved' })
        showMessage(message)
      },
    )
  }

  return (
    <>
      {calls.updateMemberProfileImage && (
        <div class="image">
          {member.profileImage ? (
            <img src={member.profileImage} alt={t('profile_image')} width="64" height="64" />
          ) : (
            <span class="initial" aria-hidden="true">
              {(saved('name') || member.auth.email).slice(0, 1).toUpperCase()}
            </span>
          )}
          <label class="secondary upload">
            {t(member.profileImage ? 'replace_image' : 'upload_profile_image')}
            <input
              type="file"
              accept="image/*"
              onChange={({ currentTarget }) => {
                upload(currentTarget.files?.[0])
                currentTarget.value = ''
              }}
            />
          </label>
        </div>
      )}
      {params.hideAccountDetails && <ConnectedAccounts member={member} />}
      {!params.hideAccountDetails && calls.updateMember && fields.length > 0 && (
        <>
          <h3>{t('profile_information')}</h3>
          <Form submit={t('save')} isReady={isChanged} onSubmit={save}>
            {fields.map(({ key, label, restrictToAdmin }) => (
              <CustomField
                key={key}
                name={key}
                label={label}
                isReadOnly={restrictToAdmin}
                value={changes[key] ?? saved(key)}
                onChange={(value) => setChanges({ ...changes, [key]: value })}
              />
            ))}
          </Form>
        </>
      )}
    </>
  )
}
