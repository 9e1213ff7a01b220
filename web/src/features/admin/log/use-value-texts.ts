import { claimTexts } from '@/components/claim/texts'
import { depositsTexts } from '@/components/deposit/texts'
import { useLanguage, useT } from '@/i18n'
import { adminTexts } from '../texts'
import type { ValueTexts } from './format-value'

/** Texts for the values in a log entry. Which states exist depends on the act. */
export function useValueTexts(act: string): ValueTexts {
  const claim = claimTexts.useT()
  const deposits = depositsTexts.useT()
  const approvals = adminTexts.useT().approvals
  const { catalogue } = useT()
  const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'step-claims': claim.states,
    'resolve-deposit': deposits.states,
  }
  const byField = {
    act: claim.acts,
    kind: approvals.kinds,
    rarity: catalogue.rarities,
    role: adminTexts.useT().users.roles,
    sealing: adminTexts.useT().admin.sealings,
    subject: adminTexts.useT().admin.subjects,
    state: states[act] ?? approvals.states,
  }
  return { language: useLanguage(), t: adminTexts.useT().log, catalogue, byField }
}
