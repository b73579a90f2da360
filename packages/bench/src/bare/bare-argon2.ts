/** argon2 with nothing around it: what logging in is compared with. */
import { verify } from 'argon2'
import { type Pace, steadyRate } from '../load/steady-rate.ts'
import { answerQuestions } from '../programs/answer-questions.ts'

export type BareVerify = Pace & { hash: string; password: string }

answerQuestions<BareVerify>(
  async ({ hash, password, ...pace }) =>
    await steadyRate(pace, async () => {
      if (!(await verify(hash, password))) throw new Error('The password is not the one of the hash.')
    }),
)
