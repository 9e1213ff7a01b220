import { claimTexts } from '@/components/claim/texts'
import { depositsTexts } from '@/components/deposit/texts'
import { useLanguage, useT } from '@/i18n'
import { operateTexts } from '../texts'
import { approvalsTexts } from '../texts/approvals'
import { trailTexts } from '../texts/trail'
import { adminUsersTexts } from '../texts/users'
import type { Words } from './written'

/** The words for what an act changed: what a state is called goes by what it is the state of. */
export function useWords(act: string): Words {
  const claim = claimTexts.useT()
  const deposits = depositsTexts.useT()
  const approvals = approvalsTexts.useT()
  const { catalogue } = useT()
  const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'step-claims': claim.states,
    'resolve-deposit': deposits.states,
  }
  const known = {
    act: claim.acts,
    kind: approvals.kinds,
    rarity: catalogue.rarities,
    role: adminUsersTexts.useT().roles,
    subject: operateTexts.useT().subjects,
    state: states[act] ?? approvals.states,
  }
  return { language: useLanguage(), t: trailTexts.useT(), catalogue, known }
}
