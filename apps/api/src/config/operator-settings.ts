import { z } from 'zod'
import { alertKinds } from '../platform/alert-kinds.ts'
import { optionalText, setting } from './setting.ts'
import { addressList, alertKindList } from './setting-formats.ts'

/** The settings of emails to the operator. */
export const operatorSettings = z.object({
  recipients: setting('OPERATOR_EMAIL', '', addressList).describe(
    'Gets the emails about what needs a person: at most one an hour for each kind of problem, and one when it is over. Several addresses are separated by commas. Empty: none; the log and the metrics have the same.',
  ),
  except: setting('OPERATOR_EMAIL_EXCEPT', '', alertKindList).describe(
    `The kinds of problems without emails, separated by commas: ${alertKinds.join(', ')}.`,
  ),
})

/** The settings of backups. */
export const backupSettings = z.object({
  passphrase: optionalText('BACKUP_PASSPHRASE').describe(
    'Encrypts the backups of `tidings backup`, and decrypts them for `tidings restore`. At least 16 characters. Keep it elsewhere too: without it, they are lost.',
  ),
})
