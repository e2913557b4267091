import { useTranslation } from 'react-i18next';

export default function Login({ user, onLogin, onLogout }) {
  const { t } = useTranslation();
  const label = t(user ? 'login.out' : 'login.in');
  return (
    <header>
      {user && <span>{t('login.greeting', { name: user.name })}</span>}
      <button onClick={user ? onLogout : onLogin}>{label}</button>
    </header>
  );
}
