import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '@/app/app'
import { initialLanguage, showLanguage } from '@/i18n'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
await showLanguage(initialLanguage())
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
