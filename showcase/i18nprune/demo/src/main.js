import i18n from './lib/i18n';
import { mount } from './pages/mount';

document.title = i18n.t('app.title');
mount(document.querySelector('#root'));
