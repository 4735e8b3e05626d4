import { render } from 'preact';
import './style/tokens.css';
import './style/map.css';
import './style/panel.css';
import './style/live.css';
import { Page } from './app/page.js';
import { runIncidents } from './incidents/closures.js';
import { runStatus } from './live/status.js';
import { createTravel, runTravel } from './navigation/travel.js';
import { takeAskedDestination } from './route/asked-destination.js';
import { runPlanner } from './route/plan-route.js';

const travel = createTravel();
runTravel(travel);
runPlanner();
takeAskedDestination();
runStatus();
runIncidents();
render(<Page travel={travel} />, document.getElementById('page') as HTMLElement);
